package dev.fusebox.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// An HTTP client that sends exactly the given bytes and parses responses. Blocks; each test has a time limit.
final class RawClient implements AutoCloseable {
    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocate(16 << 10).flip();

    /// One response, its body without framing.
    record Answer(int status, Map<String, String> headers, String body) {}

    private RawClient(SocketChannel channel) {
        this.channel = channel;
    }

    static RawClient of(HttpServer server) throws IOException {
        return new RawClient(SocketChannel.open(server.address()));
    }

    static RawClient of(SocketAddress address) throws IOException {
        return new RawClient(SocketChannel.open(address));
    }

    SocketChannel channel() {
        return channel;
    }

    RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawClient send(byte[] bytes) throws IOException {
        ByteBuffer out = ByteBuffer.wrap(bytes);
        while (out.hasRemaining()) {
            channel.write(out);
        }
        return this;
    }

    Answer answer() throws IOException {
        String[] statusLine = line().split(" ", 3);
        var headers = new TreeMap<String, String>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return new Answer(Integer.parseInt(statusLine[1]), headers, body(headers));
    }

    /// The head of a streamed response; its events follow as chunks.
    String head() throws IOException {
        var head = new StringBuilder();
        for (String line = line(); !line.isEmpty(); line = line()) {
            head.append(line).append('\n');
        }
        return head.toString();
    }

    private String body(Map<String, String> headers) throws IOException {
        if (headers.containsKey("transfer-encoding")) {
            var body = new StringBuilder();
            for (String chunk = chunk(); !chunk.isEmpty(); chunk = chunk()) {
                body.append(chunk);
            }
            return body.toString();
        }
        return text(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    }

    /// The next chunk; empty for the last.
    String chunk() throws IOException {
        String chunk = text(Integer.parseInt(line(), 16));
        line();
        return chunk;
    }

    /// Everything until the server ends the connection, regularly or not.
    String rest() {
        var rest = new ByteArrayOutputStream();
        try {
            while (true) {
                rest.write(next());
            }
        } catch (IOException e) {
            return rest.toString(StandardCharsets.ISO_8859_1);
        }
    }

    String line() throws IOException {
        var line = new StringBuilder();
        for (byte b = next(); b != '\n'; b = next()) {
            line.append((char) b);
        }
        return line.toString().strip();
    }

    private String text(int length) throws IOException {
        var text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = next();
        }
        return new String(text, StandardCharsets.UTF_8);
    }

    private byte next() throws IOException {
        if (!in.hasRemaining()) {
            in.clear();
            int count = channel.read(in);
            in.flip();
            if (count < 0) {
                throw new EOFException("the server has ended the connection");
            }
        }
        return in.get();
    }

    void endSending() throws IOException {
        channel.shutdownOutput();
    }

    /// Closes the connection at any point.
    void leave() throws IOException {
        channel.close();
    }

    /// Ends the connection with a reset.
    void reset() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
