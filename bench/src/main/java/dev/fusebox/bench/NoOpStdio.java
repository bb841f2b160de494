package dev.fusebox.bench;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/// Two threads and a child process: the lower bound for a Java program between a client and a child over standard
/// input and output. Started by `bench/gateway` as a separate process; ends when its client closes standard input.
///
/// Forwards complete lines, as many as a read returned, without parsing them.
final class NoOpStdio {
    private NoOpStdio() {}

    /// Takes the command of the child.
    public static void main(String[] command) throws IOException {
        Process child = Pipe.start(List.of(command));
        Thread.ofPlatform().daemon().start(() -> pass(new FileInputStream(FileDescriptor.in), child.getOutputStream()));
        pass(child.getInputStream(), new FileOutputStream(FileDescriptor.out));
    }

    /// Closes the other side when this one has ended.
    private static void pass(InputStream from, OutputStream to) {
        byte[] buffer = new byte[64 << 10];
        int length = 0;
        try (from;
                to) {
            for (int count = from.read(buffer, 0, buffer.length);
                    count >= 0;
                    count = from.read(buffer, length, buffer.length - length)) {
                int whole = endOfLines(buffer, length, length + count);
                length += count;
                to.write(buffer, 0, whole);
                to.flush();
                System.arraycopy(buffer, whole, buffer, 0, length - whole);
                length -= whole;
                if (length == buffer.length) {
                    buffer = Arrays.copyOf(buffer, 2 * length);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The end of the last complete line, 0 if there is none; earlier bytes contain no line end.
    private static int endOfLines(byte[] buffer, int from, int to) {
        int end = to;
        while (end > from && buffer[end - 1] != '\n') {
            end--;
        }
        return end > from ? end : 0;
    }
}
