package dev.fusebox.gateway.crowd;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.fusebox.gateway.stateless.Gate;
import dev.fusebox.gateway.stateless.Words;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/// A stateless server over HTTP in the process of the test, which answers calls as the test says. It has the tools
/// `work` and `think`, which say nothing of themselves, and `look`, which only reads. Thread-safe.
final class Booth implements AutoCloseable {
    private static final String ARGUMENTS =
            "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":" + "\"integer\"}},\"required\":[]}";
    private static final String OFFER = "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
            + "\"capabilities\":{\"tools\":{}},\"tools\":[{\"name\":\"work\"," + ARGUMENTS + "},{\"name\":\"think\","
            + ARGUMENTS
            + "},{\"name\":\"look\","
            + ARGUMENTS + ",\"annotations\":{\"readOnlyHint\":true}}],\"ttlMs\":0,\"cacheScope\":\"private\"}";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile IntFunction<Reply> replies;

    /// @param headers names and values in turns
    /// @param message members beside version and id; empty for a body that is none
    record Reply(int status, List<String> headers, String message) {
        static Reply of(int status) {
            return new Reply(status, List.of(), "");
        }

        static Reply text(String text, boolean isError) {
            return result("{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"" + text
                    + "\"}],\"isError\":" + isError + "}");
        }

        static Reply result(String result) {
            return new Reply(200, List.of(), "\"result\":" + result);
        }

        static Reply error(int status, int code, String text) {
            return new Reply(status, List.of(), "\"error\":{\"code\":" + code + ",\"message\":\"" + text + "\"}");
        }

        Reply asking(String name, String value) {
            return new Reply(status, List.of(name, value), message);
        }
    }

    static final Reply DONE = Reply.text("done", false);

    /// @param replies to the first call, the second, and so on
    Booth(IntFunction<Reply> replies) {
        this.replies = replies;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/mcp", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /// One reply for each call, the last one for all that follow.
    static Booth of(Reply... replies) {
        return new Booth(nth -> replies[Math.min(nth, replies.length) - 1]);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
    }

    /// How many calls have come.
    int calls() {
        return calls.get();
    }

    /// Answers like that from now on.
    void answer(Reply reply) {
        replies = nth -> reply;
    }

    /// Keeps all calls from now on waiting, and then answers them like that.
    Held hold(Reply reply) {
        Held held = new Held();
        replies = nth -> {
            held.await();
            return reply;
        };
        return held;
    }

    /// Calls that wait for their answer. Thread-safe.
    static final class Held implements AutoCloseable {
        private final AtomicInteger waiting = new AtomicInteger();
        private final CountDownLatch go = new CountDownLatch(1);

        int waiting() {
            return waiting.get();
        }

        void let() {
            go.countDown();
        }

        private void await() {
            waiting.incrementAndGet();
            try {
                if (!go.await(Gate.SOON.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("nobody lets the call go on");
                }
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            let();
        }
    }

    private void handle(HttpExchange http) throws IOException {
        try (http) {
            String body = new String(http.getRequestBody().readAllBytes(), UTF_8);
            JsonView request = body.isEmpty() ? null : Words.read(body);
            JsonView id = request == null ? null : request.member("id");
            if (request == null || id == null) {
                http.sendResponseHeaders(request == null ? 405 : 202, -1);
                return;
            }
            boolean isCall = "tools/call".equals(Words.method(request));
            Reply reply = isCall ? replies.apply(calls.incrementAndGet()) : Reply.result(OFFER);
            send(http, id, reply);
        }
    }

    private static void send(HttpExchange http, JsonView id, Reply reply) throws IOException {
        for (int i = 0; i < reply.headers().size(); i += 2) {
            http.getResponseHeaders()
                    .set(reply.headers().get(i), reply.headers().get(i + 1));
        }
        byte[] bytes = reply.message().isEmpty()
                ? new byte[0]
                : ("{\"jsonrpc\":\"2.0\",\"id\":" + id.json() + "," + reply.message() + "}").getBytes(UTF_8);
        if (bytes.length > 0) {
            http.getResponseHeaders().set("Content-Type", "application/json");
        }
        http.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
        http.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
