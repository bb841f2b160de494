package dev.fusebox.gateway.front;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.TryWritable;
import dev.fusebox.testkit.ManualTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The time that a client may leave its pipe unread, with a manual clock, and the writes of the sending thread.
@Timeout(60)
class FrameWriterTest {
    private static final Duration STUCK = Duration.ofSeconds(30);
    private static final byte[] MORE_THAN_A_PIPE_HOLDS = new byte[4 << 20];

    private final ManualTime time = new ManualTime();
    private final CountDownLatch gone = new CountDownLatch(1);
    private Pipe pipe;
    private FrameWriter writer;

    @BeforeEach
    void begin() throws IOException {
        pipe = Pipe.open();
        writer = new FrameWriter(time.platform(), Channels.newOutputStream(pipe.sink()), STUCK);
        writer.start(gone::countDown);
    }

    @AfterEach
    void end() throws IOException {
        pipe.source().close();
        pipe.sink().close();
    }

    @Test
    void client_that_reads_nothing_for_too_long_is_disconnected() throws InterruptedException {
        assertThat(writer.send(MORE_THAN_A_PIPE_HOLDS)).isTrue();

        time.advance(STUCK.minusMillis(1));
        assertThat(writer.send(new byte[1])).isTrue();
        waitUntilGone();

        assertThat(writer.send(new byte[1])).isFalse();
    }

    /// The moment at which the pipe is full is unknown, and until then each slice restarts the timeout.
    private void waitUntilGone() throws InterruptedException {
        do {
            time.advance(STUCK);
        } while (!gone.await(10, MILLISECONDS));
    }

    @Test
    void output_above_the_bound_disconnects_a_client_that_does_not_read() {
        int taken = 0;
        while (writer.send(MORE_THAN_A_PIPE_HOLDS)) {
            taken++;
        }
        assertThat(taken).isBetween(10, 20);
        assertThat(gone.getCount()).isZero();
    }

    @Test
    void thread_that_sends_writes_what_fits_and_the_rest_follows_in_order() throws IOException, InterruptedException {
        byte[] frame = new byte[1000];
        FrameWriter direct = new FrameWriter(time.platform(), new PipeOutput(pipe.sink()), STUCK);
        assertThat(direct.send(frame)).isTrue();
        // Its thread has not been started yet: this frame was written by this thread.
        assertThat(pipe.source().read(ByteBuffer.allocate(frame.length + 1))).isEqualTo(frame.length + 1);

        int count = 300;
        for (int i = 0; i < count; i++) {
            byte[] next = new byte[frame.length];
            Arrays.fill(next, (byte) ('a' + i % 26));
            assertThat(direct.send(next)).isTrue();
        }
        direct.start(gone::countDown);
        var in = new BufferedReader(Channels.newReader(pipe.source(), StandardCharsets.UTF_8));
        for (int i = 0; i < count; i++) {
            String letter = String.valueOf((char) ('a' + i % 26));
            assertThat(in.readLine()).isEqualTo(letter.repeat(frame.length));
        }
        direct.end(STUCK);
        assertThat(gone.getCount()).isOne();
    }

    @Test
    void client_that_has_left_is_noticed_by_the_thread_that_sends() throws IOException {
        FrameWriter direct = new FrameWriter(time.platform(), new PipeOutput(pipe.sink()), STUCK);
        direct.start(gone::countDown);
        pipe.source().close();
        assertThat(direct.send(new byte[1])).isFalse();
        assertThat(gone.getCount()).isZero();
    }

    /// A pipe that can also be written to without blocking.
    private static final class PipeOutput extends OutputStream implements TryWritable {
        private final Pipe.SinkChannel sink;

        PipeOutput(Pipe.SinkChannel sink) {
            this.sink = sink;
        }

        @Override
        public int tryWrite(byte[] bytes, int from, int to) {
            try {
                sink.configureBlocking(false);
                int count = sink.write(ByteBuffer.wrap(bytes, from, to - from));
                sink.configureBlocking(true);
                return count;
            } catch (IOException left) {
                return -1;
            }
        }

        @Override
        public void write(int single) throws IOException {
            write(new byte[] {(byte) single}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            sink.write(ByteBuffer.wrap(bytes, from, length));
        }
    }
}
