package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The log writer with a slow or absent reader.
@Timeout(60)
class AsyncLogWriterTest {
    /// Takes nothing before it is let, and then fails as often as it is told.
    private static final class Slow extends OutputStream {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch let = new CountDownLatch(1);
        private int failures;

        @Override
        public void write(int letter) {
            throw new AssertionError("the log is written line by line");
        }

        @Override
        public void write(byte[] text, int from, int length) throws IOException {
            asked.countDown();
            try {
                let.await();
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
            if (failures-- > 0) {
                throw new IOException("no room");
            }
            taken.write(text, from, length);
        }

        private void awaitAsked() throws InterruptedException {
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
        }

        private String[] lines() {
            return taken.toString(UTF_8).split("\n", -1);
        }
    }

    private final Slow out = new Slow();
    private final AsyncLogWriter asyncLogWriter = AsyncLogWriter.to(Platform.system(), out);

    private void say(String text) {
        asyncLogWriter.write(() -> text + "\n");
    }

    @Test
    void records_are_written_in_order_before_close_returns() {
        out.let.countDown();
        for (int i = 0; i < 500; i++) {
            say("line " + i);
        }
        asyncLogWriter.close();
        assertThat(out.lines()).hasSize(501).startsWith("line 0", "line 1").endsWith("line 499", "");
    }

    @Test
    void full_queue_drops_and_counts_records_without_blocking() throws Exception {
        say("first");
        out.awaitAsked();
        for (int i = 0; i < 1_200; i++) {
            say("line " + i);
        }
        out.let.countDown();
        asyncLogWriter.close();
        assertThat(out.lines())
                .hasSize(1_003)
                .startsWith("first", "(200 log records were dropped)", "line 0")
                .endsWith("line 999", "");
    }

    @Test
    void failed_writes_are_counted_in_next_successful_write() throws Exception {
        out.failures = 3;
        for (int i = 0; i < 4; i++) {
            say("line " + i);
        }
        out.let.countDown();
        asyncLogWriter.close();
        assertThat(out.lines()).containsExactly("(3 log records were dropped)", "line 3", "");
    }

    @Test
    void close_does_not_wait_for_stalled_reader() throws Exception {
        say("first");
        out.awaitAsked();
        asyncLogWriter.close();
        assertThat(out.lines()).containsExactly("");
        out.let.countDown();
    }
}
