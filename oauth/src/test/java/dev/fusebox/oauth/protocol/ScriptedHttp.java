package dev.fusebox.oauth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// HTTP server on the loopback address with scripted answers by path; others are 404. Records all requests. Each
/// connection carries one request, on a virtual thread of its own.
final class ScriptedHttp implements AutoCloseable {
    final List<Received> received = new CopyOnWriteArrayList<>();
    final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final ServerSocket listener;
    private final Thread acceptor;

    /// Raw response to one request; empty to close the connection instead.
    @FunctionalInterface
    interface Answer {
        String to(Received request) throws IOException, InterruptedException;
    }

    /// One request.
    record Received(String method, String path, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name, "");
        }

        Map<String, String> form() {
            Map<String, String> form = new HashMap<>();
            for (String field : body.split("&", -1)) {
                int equals = field.indexOf('=');
                form.put(decoded(field.substring(0, equals)), decoded(field.substring(equals + 1)));
            }
            return form;
        }

        private static String decoded(String text) {
            return URLDecoder.decode(text, UTF_8);
        }
    }

    ScriptedHttp() throws IOException {
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        acceptor = Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    URI uri(String path) {
        return URI.create(url() + path);
    }

    /// Answers with JSON, in which `$` stands for the address of this server.
    ScriptedHttp json(String path, String json) {
        return on(path, request -> answer(200, json.replace("$", url())));
    }

    ScriptedHttp on(String path, Answer answer) {
        answers.put(path, answer);
        return this;
    }

    ScriptedHttp remove(String path) {
        answers.remove(path);
        return this;
    }

    static String answer(int status, String body, String... headers) {
        return answerOf("application/json", status, body, headers);
    }

    static String answerOf(String type, int status, String body, String... headers) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Any\r\nContent-Type: " + type + "\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return head + "Connection: close\r\nContent-Length: " + body.getBytes(UTF_8).length + "\r\n\r\n" + body;
    }

    /// The paths of all requests, in order.
    List<String> paths() {
        return received.stream().map(Received::path).toList();
    }

    Received last(String path) {
        return received.stream()
                .filter(request -> request.path().equals(path))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The server is closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            Received request = read(new BufferedInputStream(socket.getInputStream()));
            received.add(request);
            atOnce.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            String path = request.path().replaceFirst("\\?.*", "");
            String answer = answers.getOrDefault(path, any -> answer(404, "{}")).to(request);
            inFlight.decrementAndGet();
            socket.getOutputStream().write(answer.getBytes(UTF_8));
        } catch (IOException gone) {
            // The client has closed.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    private static Received read(InputStream in) throws IOException {
        String[] line = line(in).split(" ", -1);
        Map<String, String> headers = new HashMap<>();
        for (String field = line(in); !field.isEmpty(); field = line(in)) {
            int colon = field.indexOf(':');
            headers.put(
                    field.substring(0, colon).toLowerCase(Locale.ROOT),
                    field.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Received(line[0], line[1], headers, new String(in.readNBytes(length), UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int b = in.read();
        while (b != '\n') {
            if (b < 0) {
                throw new IOException("closed");
            }
            if (b != '\r') {
                line.append((char) b);
            }
            b = in.read();
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        try {
            // Until then the port accepts connections.
            acceptor.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        for (Socket socket : open) {
            socket.close();
        }
    }
}
