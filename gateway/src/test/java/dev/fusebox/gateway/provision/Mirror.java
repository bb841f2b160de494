package dev.fusebox.gateway.provision;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// A registry mirror on this machine: returns a page for each query, and records the requests. [#close] stops it.
final class Mirror implements AutoCloseable {
    private final ServerSocket socket;
    private final Map<String, String> pages;
    private final String status;
    private final byte @Nullable [] body;
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    /// @param pages by the query string, empty for none
    Mirror(Map<String, String> pages) {
        this(pages, "200 OK", null);
    }

    /// A mirror with one response for all requests.
    ///
    /// @param status with further header fields, if there are any
    static Mirror saying(String status, byte[] body) {
        return new Mirror(Map.of(), status, body);
    }

    private Mirror(Map<String, String> pages, String status, byte @Nullable [] body) {
        this.status = status;
        this.body = body;
        try {
            this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.pages = pages;
        Thread.ofPlatform().daemon().name("test-mirror").start(this::serve);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/v0.1/servers");
    }

    List<String> asked() {
        return List.copyOf(asked);
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket line = socket.accept()) {
                answer(line);
            } catch (IOException over) {
                // Closed by the test or by the client.
            }
        }
    }

    private void answer(Socket line) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(line.getInputStream(), UTF_8));
        String query = in.readLine().split(" ", 3)[1].replaceFirst("^/v0[.]1/servers", "");
        for (String field = in.readLine(); field != null && !field.isEmpty(); field = in.readLine()) {
            // The request head has to be read completely.
        }
        asked.add(query);
        @Nullable String page = pages.get(query);
        byte[] said = body == null ? (page == null ? "" : page).getBytes(UTF_8) : body;
        boolean isThere = page != null || body != null;
        String head = "HTTP/1.1 " + (isThere ? status : "404 Not Found") + "\r\nContent-Length: " + said.length
                + "\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
        line.getOutputStream().write(head.getBytes(UTF_8));
        line.getOutputStream().write(said);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
