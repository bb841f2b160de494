package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/// A stateless HTTP server in the test's process with the tools `echo` and `fail`, which holds selected calls
/// until the test releases them. Thread-safe.
final class HeldServer implements AutoCloseable {
    /// The arguments of a call that is to be held.
    private static final String HELD = "{\"held\":true}";

    /// Nothing waits that long unless it is broken.
    private static final int LIMIT_SECONDS = 60;

    private static final String TOOL = "\",\"inputSchema\":{\"type\":\"object\"}}";
    private static final String OFFER = "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
            + "\"capabilities\":{\"tools\":{}},\"tools\":[{\"name\":\"echo" + TOOL + ",{\"name\":\"fail" + TOOL
            + "],\"ttlMs\":0,\"cacheScope\":\"private\"}";

    private final PostServer server = new PostServer(post -> answer(post.body()));
    private final AtomicInteger waiting = new AtomicInteger();
    private final CountDownLatch go = new CountDownLatch(1);

    HeldServer() throws IOException {
        // It answers from now on.
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.port() + "/mcp");
    }

    /// Calls a tool so that the call is held, and waits until the server has it. Gives what it comes to.
    CompletableFuture<String> hold(Configured gateway, String tool) {
        int before = waiting.get();
        CompletableFuture<String> call = begin(gateway, tool);
        eventually("the call has arrived", () -> waiting.get() > before || call.isDone());
        return call;
    }

    /// The same once a breaker that is open lets a call through.
    CompletableFuture<String> holdOnceAdmitted(Configured gateway, String tool) {
        AtomicReference<CompletableFuture<String>> last = new AtomicReference<>();
        eventually("a call is let through", () -> {
            last.set(hold(gateway, tool));
            return !last.get().isDone();
        });
        return last.get();
    }

    private static CompletableFuture<String> begin(Configured gateway, String tool) {
        return CompletableFuture.supplyAsync(() -> gateway.code(tool, HELD), Thread::startVirtualThread);
    }

    /// How many calls have been held until now.
    int holds() {
        return waiting.get();
    }

    /// Answers what is held, and holds nothing any more.
    void let() {
        go.countDown();
    }

    private String answer(String body) throws IOException {
        JsonView request = body.isEmpty() ? null : JsonView.of(body);
        JsonView id = request == null ? null : request.member("id");
        if (request == null || id == null) {
            return response(request == null ? 405 : 202, "");
        }
        String result = "tools/call".equals(request.string("method")) ? called(request) : OFFER;
        return response(200, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
    }

    private String called(JsonView request) throws IOException {
        if (request.path("params", "arguments", "held") != null) {
            waiting.incrementAndGet();
            awaitGo();
        }
        JsonView tool = request.path("params", "name");
        boolean fails = tool != null && "fail".equals(tool.string());
        return "{\"resultType\":\"complete\",\"content\":[],\"isError\":" + fails + "}";
    }

    private void awaitGo() throws IOException {
        try {
            if (!go.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("nobody lets the call go");
            }
        } catch (InterruptedException stopped) {
            throw new InterruptedIOException(stopped.getMessage());
        }
    }

    private static String response(int status, String body) {
        return "HTTP/1.1 " + status + " -\r\nConnection: close\r\n"
                + (body.isEmpty() ? "" : "Content-Type: application/json\r\n")
                + "Content-Length: " + body.getBytes(UTF_8).length + "\r\n\r\n" + body;
    }

    @Override
    public void close() throws IOException {
        let();
        server.close();
    }
}
