package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Reads a stream on a thread of its own and hands out its lines as they came, byte for byte. What is not there
/// after ten seconds will not come.
final class Lines {
    private static final long DEADLINE_S = 10;
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> lines = new LinkedBlockingQueue<>();
    private final AtomicInteger reads = new AtomicInteger();
    private final Semaphore bytes = new Semaphore(0);

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /// Without a stream: whoever writes to the sink is read.
    Lines() {}

    OutputStream sink() {
        return new OutputStream() {
            @Override
            public void write(byte[] from, int offset, int length) {
                take(Arrays.copyOfRange(from, offset, offset + length), length);
            }

            @Override
            public void write(int one) {
                take(new byte[] {(byte) one}, 1);
            }
        };
    }

    static Lines of(InputStream in) {
        Lines lines = new Lines();
        Thread.ofPlatform().daemon().name("reads lines").start(() -> lines.read(in));
        return lines;
    }

    private void read(InputStream in) {
        byte[] buffer = new byte[1 << 16];
        try (in) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                reads.incrementAndGet();
                take(buffer, read);
                bytes.release(read);
            }
        } catch (IOException e) {
            // The end of a broken pipe is an end.
        }
        if (line.size() > 0) {
            lines.add(line.toByteArray());
        }
        lines.add(END);
    }

    private void take(byte[] buffer, int length) {
        int from = 0;
        for (int i = 0; i < length; i++) {
            if (buffer[i] == '\n') {
                line.write(buffer, from, i + 1 - from);
                lines.add(line.toByteArray());
                line.reset();
                from = i + 1;
            }
        }
        line.write(buffer, from, length - from);
    }

    /// Waits until so many bytes have come since this was last called, whole lines or not.
    void awaitBytes(int count) throws InterruptedException {
        assertThat(bytes.tryAcquire(count, DEADLINE_S, TimeUnit.SECONDS))
                .as("%s bytes within %s s", count, DEADLINE_S)
                .isTrue();
        bytes.drainPermits();
    }

    /// The next line with its end.
    byte[] nextBytes() throws InterruptedException {
        byte[] line = lines.poll(DEADLINE_S, TimeUnit.SECONDS);
        assertThat(line).as("a line within %s s", DEADLINE_S).isNotNull();
        return line;
    }

    /// The next line without its end.
    String next() throws InterruptedException {
        return new String(nextBytes(), StandardCharsets.UTF_8).stripTrailing();
    }

    /// The next line, which must be a message.
    JsonView nextMessage() throws InterruptedException {
        byte[] line = nextBytes();
        assertThat(Message.read(line, 0, line.length))
                .as(new String(line, StandardCharsets.UTF_8))
                .isNotInstanceOf(Message.Malformed.class);
        return JsonView.of(new String(line, StandardCharsets.UTF_8));
    }

    /// The answer to a request; messages before it are passed over.
    JsonView answerTo(int id) throws InterruptedException {
        for (JsonView message = nextMessage(); ; message = nextMessage()) {
            JsonView answered = message.member("id");
            if (answered != null && answered.json().equals("" + id) && message.member("method") == null) {
                return message;
            }
        }
    }

    void assertEnd() throws InterruptedException {
        assertThat(nextBytes()).as("nothing more").isSameAs(END);
    }

    /// Whether lines wait to be fetched.
    boolean isEmpty() {
        return lines.isEmpty();
    }

    /// How many reads it took so far.
    int reads() {
        return reads.get();
    }
}
