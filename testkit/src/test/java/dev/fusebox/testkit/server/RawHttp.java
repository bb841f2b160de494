package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// One request over a socket of its own, with headers as the test wants them, and its answer as it comes. A read
/// that takes ten seconds fails.
final class RawHttp implements AutoCloseable {
    private static final int DEADLINE_MS = 10_000;

    private final Socket socket;
    private final InputStream in;
    private final int status;
    private final Map<String, String> headers = new HashMap<>();

    private RawHttp(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        String first = line();
        assertThat(first).startsWith("HTTP/1.1 ");
        status = Integer.parseInt(first.substring(9, 12));
        for (String header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
    }

    /// @param extra headers beyond those that every request has, each with its line end; they may replace
    /// `HostProcess`
    static RawHttp send(String method, URI uri, String extra, String body) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), uri.getPort());
        socket.setSoTimeout(DEADLINE_MS);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String host = extra.contains("Host: ") ? "" : "Host: " + uri.getAuthority() + "\r\n";
        String head = method + " " + uri.getPath() + " HTTP/1.1\r\n" + host + extra + "Connection: close\r\n"
                + "Content-Length: " + bytes.length + "\r\n\r\n";
        socket.getOutputStream().write((head + body).getBytes(StandardCharsets.UTF_8));
        return new RawHttp(socket);
    }

    int status() {
        return status;
    }

    String header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /// The body while it comes, without the marks of its chunks.
    InputStream body() throws IOException {
        if (header("Transfer-Encoding").equals("chunked")) {
            return new Chunks();
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new ByteArrayInputStream(in.readNBytes(length));
    }

    String text() throws IOException {
        return new String(body().readAllBytes(), StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the connection ended within a line");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    private final class Chunks extends InputStream {
        private int left;
        private boolean ended;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int from, int length) throws IOException {
            if (left == 0 && !ended) {
                left = Integer.parseInt(line(), 16);
                ended = left == 0;
            }
            if (ended) {
                return -1;
            }
            int read = in.read(to, from, Math.min(left, length));
            left -= Math.max(read, 0);
            if (left == 0) {
                line();
            }
            return read;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
