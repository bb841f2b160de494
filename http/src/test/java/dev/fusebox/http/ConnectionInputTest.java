package dev.fusebox.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import org.junit.jupiter.api.Test;

class ConnectionInputTest {
    private static final int LENGTH = 6_000;

    private int reads;

    @Test
    void single_bytes_are_read_ahead_and_not_one_system_call_each() {
        byte[] sent = "0123456789".repeat(LENGTH / 10).getBytes(US_ASCII);
        var input = new ConnectionInput(counting(new ByteArrayInputStream(sent)));
        var taken = new byte[LENGTH];

        for (int i = 0; i < LENGTH; i++) {
            assertThat(input.take(taken, i, 1)).isEqualTo(1);
        }

        assertThat(taken).isEqualTo(sent);
        assertThat(input.take(new byte[1], 0, 1)).isEqualTo(-1);
        assertThat(reads).isLessThan(LENGTH / 500);
    }

    @Test
    void bytes_beyond_those_taken_are_kept_for_the_next_request() {
        var input = new ConnectionInput(counting(new ByteArrayInputStream("bodyPOST".getBytes(US_ASCII))));

        assertThat(input.take(new byte[4], 0, 4)).isEqualTo(4);
        assertThat(input.byteSpan().length()).isEqualTo(4);
        assertThat(reads).isEqualTo(1);
    }

    private ReadableByteChannel counting(InputStream bytes) {
        ReadableByteChannel channel = Channels.newChannel(bytes);
        return new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer into) throws IOException {
                reads++;
                return channel.read(into);
            }

            @Override
            public boolean isOpen() {
                return channel.isOpen();
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }
}
