package dev.fusebox.gateway.admin;

import dev.fusebox.http.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A client of the admin API over TCP or a Unix socket, with one connection for each request. Blocks; each test has a
/// time limit.
final class AdminClient {
    private final SocketAddress address;
    private final String host;

    /// A response with its header lines.
    record Answer(int status, List<String> headers, String body) {
        boolean has(String header) {
            return headers.contains(header);
        }
    }

    private AdminClient(SocketAddress address, String host) {
        this.address = address;
        this.host = host;
    }

    static AdminClient of(HttpServer front) {
        return of(front.address());
    }

    static AdminClient of(SocketAddress address) {
        String host = address instanceof InetSocketAddress tcp ? "127.0.0.1:" + tcp.getPort() : "localhost";
        return new AdminClient(address, host);
    }

    /// The same client with another Host header.
    AdminClient named(String other) {
        return new AdminClient(address, other);
    }

    Answer get(String path, String... headers) {
        return ask("GET " + path, "", headers);
    }

    Answer post(String path, String body, String... headers) {
        return ask("POST " + path, body, headers);
    }

    Answer ask(String what, String body, String... headers) {
        try (SocketChannel channel = SocketChannel.open(address)) {
            send(channel, what, body, headers);
            BufferedReader in = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            int status = Integer.parseInt(in.readLine().split(" ", 3)[1]);
            List<String> found = new ArrayList<>();
            for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                found.add(line);
            }
            StringBuilder rest = new StringBuilder();
            for (int next = in.read(); next >= 0; next = in.read()) {
                rest.append((char) next);
            }
            return new Answer(status, found, rest.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send(SocketChannel channel, String what, String body, String... headers) throws IOException {
        StringBuilder text = new StringBuilder(what)
                .append(" HTTP/1.1\r\nHost: ")
                .append(host)
                .append("\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        text.append("Connection: close\r\nContent-Length: ")
                .append(bytes.length)
                .append("\r\n\r\n")
                .append(body);
        ByteBuffer out = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    /// An event stream that stays open until it is closed.
    Stream stream(String path, String... headers) {
        try {
            SocketChannel channel = SocketChannel.open(address);
            send(channel, "GET " + path, "", headers);
            return new Stream(channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The lines of a stream.
    static final class Stream implements AutoCloseable {
        private final SocketChannel channel;
        private final BufferedReader in;

        Stream(SocketChannel channel) {
            this.channel = channel;
            this.in =
                    new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
        }

        /// The rest of the next line with this prefix.
        String next(String beginning) {
            try {
                String line = in.readLine();
                while (line != null && !line.startsWith(beginning)) {
                    line = in.readLine();
                }
                if (line == null) {
                    throw new AssertionError("the stream has ended before " + beginning);
                }
                return line.substring(beginning.length());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
