package dev.fusebox.client.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.protocol.JsonView;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Server with scripted raw responses. Records every request. Each connection has a virtual thread.
final class RawServer implements AutoCloseable {
    final List<Received> received = new CopyOnWriteArrayList<>();
    final AtomicInteger accepted = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ServerSocket listener;
    private final Script script;
    private final String scheme;

    /// Script of one connection.
    @FunctionalInterface
    interface Script {
        void run(Wire wire) throws IOException;
    }

    /// Response to one request; null to close the connection.
    @FunctionalInterface
    interface Answers {
        @Nullable
        String to(Received request) throws IOException;
    }

    RawServer(ServerSocket listener, String scheme, Script script) {
        this.listener = listener;
        this.scheme = scheme;
        this.script = script;
        Thread.ofVirtual().start(this::accept);
    }

    static RawServer start(Script script) throws IOException {
        return new RawServer(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()), "http", script);
    }

    /// Responds to all requests on each connection.
    static RawServer answering(Answers answers) throws IOException {
        return start(each(answers));
    }

    static Script each(Answers answers) {
        return wire -> {
            for (Received request = wire.next(); request != null; request = wire.next()) {
                String answer = answers.to(request);
                if (answer == null) {
                    return;
                }
                wire.write(answer);
            }
        };
    }

    URI uri() {
        return URI.create(scheme + "://127.0.0.1:" + listener.getLocalPort() + "/mcp");
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                open.add(socket);
                accepted.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The server is closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            script.run(new Wire(socket));
        } catch (IOException gone) {
            // The client has closed, which many tests expect.
        } finally {
            open.remove(socket);
        }
    }

    /// Closes all open connections.
    void disconnectAll() throws IOException {
        for (Closeable socket : open) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        disconnectAll();
    }

    /// One request as it came.
    record Received(String line, Map<String, String> headers, String body) {
        String method() {
            return line.substring(0, line.indexOf(' '));
        }

        String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }

        JsonView json() {
            return JsonView.of(body);
        }

        String id() {
            JsonView id = body.isEmpty() ? null : json().member("id");
            return id == null ? "none" : id.json();
        }

        String rpcMethod() {
            return body.isEmpty() ? "" : String.valueOf(json().string("method"));
        }

        /// The result of this request.
        String result(String result) {
            return "{\"jsonrpc\":\"2.0\",\"id\":" + id() + ",\"result\":" + result + "}";
        }

        String error(int code, String message) {
            return "{\"jsonrpc\":\"2.0\",\"id\":" + id() + ",\"error\":{\"code\":" + code + ",\"message\":\"" + message
                    + "\"}}";
        }
    }

    static String json(int status, String body, String... headers) {
        return plain(status, "application/json", body, headers);
    }

    static String plain(int status, String type, String body, String... headers) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Any\r\nContent-Type: " + type + "\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return head + "Content-Length: " + body.getBytes(UTF_8).length + "\r\n\r\n" + body;
    }

    static final String EVENTS =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    static final String EVENTS_TO_END = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    static final String LAST_CHUNK = "0\r\n\r\n";
    static final String ACCEPTED = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";

    static String chunk(String text) {
        return Integer.toHexString(text.getBytes(UTF_8).length) + "\r\n" + text + "\r\n";
    }

    static String data(String frame) {
        return "data: " + frame + "\n\n";
    }

    /// One connection.
    final class Wire {
        final Socket socket;
        private final InputStream in;

        Wire(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream());
        }

        /// Null when the client has closed.
        @Nullable
        Received next() throws IOException {
            String line = line();
            if (line == null) {
                return null;
            }
            Map<String, String> headers = new TreeMap<>();
            for (String field = line(); field != null && !field.isEmpty(); field = line()) {
                int colon = field.indexOf(':');
                String name = field.substring(0, colon).toLowerCase(Locale.ROOT);
                headers.merge(name, field.substring(colon + 1).strip(), (one, other) -> one + " AND " + other);
            }
            int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
            Received request = new Received(line, headers, new String(in.readNBytes(length), UTF_8));
            received.add(request);
            return request;
        }

        private @Nullable String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int b = in.read(); b != '\n'; b = in.read()) {
                if (b < 0) {
                    return null;
                }
                line.append((char) b);
            }
            return line.toString().strip();
        }

        void write(String text) throws IOException {
            write(text.getBytes(UTF_8));
        }

        void write(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        }

        void writeLatin1(String text) throws IOException {
            write(text.getBytes(ISO_8859_1));
        }

        /// Waits until the client has closed or sent something more.
        boolean awaitClosed() throws IOException {
            return in.read() < 0;
        }

        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
