package dev.fusebox.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A child process and the two pipes to it, for one request at a time. [#ask] blocks until the child has answered.
///
/// A platform thread reads, as in the gateway: a read from a pipe would pin the carrier of a virtual one.
final class Pipe {
    private final Process process;
    private final OutputStream in;
    private volatile @Nullable Thread asking;
    private volatile byte @Nullable [] answer;
    private boolean greeted;

    private Pipe(Process process) {
        this.process = process;
        this.in = process.getOutputStream();
    }

    static Pipe to(List<String> command) {
        try {
            Pipe pipe = new Pipe(start(command));
            Thread.ofPlatform().daemon().start(pipe::read);
            return pipe;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Starts a child with pipes for input and output; its errors are discarded.
    static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    boolean isGreeted() {
        return greeted;
    }

    void greet(byte[] notification) {
        greeted = true;
        write(notification);
    }

    byte[] ask(byte[] request) {
        asking = Thread.currentThread();
        write(request);
        byte[] line = answer;
        while (line == null) {
            LockSupport.park(this);
            line = answer;
        }
        answer = null;
        return line;
    }

    private void write(byte[] message) {
        byte[] line = Arrays.copyOf(message, message.length + 1);
        line[message.length] = '\n';
        try {
            in.write(line);
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        byte[] buffer = new byte[64 << 10];
        int length = 0;
        try (InputStream out = process.getInputStream()) {
            for (int count = out.read(buffer, 0, buffer.length);
                    count >= 0;
                    count = out.read(buffer, length, buffer.length - length)) {
                length += count;
                if (buffer[length - 1] == '\n') {
                    answer = Arrays.copyOf(buffer, length - 1);
                    LockSupport.unpark(asking);
                    length = 0;
                } else if (length == buffer.length) {
                    buffer = Arrays.copyOf(buffer, 2 * length);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void close() {
        process.destroy();
    }
}
