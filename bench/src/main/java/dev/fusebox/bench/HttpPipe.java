package dev.fusebox.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A connection to a server over HTTP, for one request at a time. [#exchange] blocks until the server has
/// answered. Of answers it knows only those that say their length.
final class HttpPipe {
    private final SocketChannel channel;
    private byte[] buffer = new byte[16 << 10];

    private HttpPipe(SocketChannel channel) {
        this.channel = channel;
    }

    /// An answer as it came.
    static final class Answer {
        private final String lines;
        private final byte[] body;

        /// @param lines of its head, each with its end
        Answer(String lines, byte[] body) {
            this.lines = lines;
            this.body = body;
        }

        int status() {
            return Integer.parseInt(lines, 9, 12, 10);
        }

        @Nullable
        String header(String name) {
            return HttpPipe.header(lines, name);
        }

        byte[] body() {
            return body;
        }
    }

    private static @Nullable String header(String lines, String name) {
        int at = lines.toLowerCase(Locale.ROOT).indexOf("\n" + name.toLowerCase(Locale.ROOT) + ":");
        int value = at + name.length() + 2;
        return at < 0
                ? null
                : lines.substring(value, lines.indexOf('\r', value)).strip();
    }

    static HttpPipe to(URI server) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(server.getHost(), server.getPort()));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new HttpPipe(channel);
    }

    Answer exchange(String head, byte[] body) throws IOException {
        byte[] whole = Arrays.copyOf(head.getBytes(ISO_8859_1), head.length() + body.length);
        System.arraycopy(body, 0, whole, head.length(), body.length);
        for (ByteBuffer left = ByteBuffer.wrap(whole); left.hasRemaining(); ) {
            channel.write(left);
        }
        int length = 0;
        int end = -1;
        while (end < 0) {
            length = more(length);
            end = endOfHead(length);
        }
        String lines = new String(buffer, 0, end, ISO_8859_1);
        String given = header(lines, "Content-Length");
        int total = end + (given == null ? 0 : Integer.parseInt(given));
        while (length < total) {
            length = more(length);
        }
        return new Answer(lines, Arrays.copyOfRange(buffer, end, total));
    }

    private int more(int length) throws IOException {
        if (length == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * length);
        }
        int count = channel.read(ByteBuffer.wrap(buffer, length, buffer.length - length));
        if (count < 0) {
            throw new EOFException("the server has closed the connection");
        }
        return length + count;
    }

    /// The index after the empty line; -1 if it has not arrived.
    private int endOfHead(int length) {
        for (int i = 3; i < length; i++) {
            if (buffer[i] == '\n' && buffer[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }
}
