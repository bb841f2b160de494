package dev.fusebox.gateway.front;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.testkit.ManualTime;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The time that a client may leave its pipe unread, with a manual clock.
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
}
