package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// A fault load: callers of a server that crashes and hangs (`faulty.mjs`), without pause, in both eras, until it
/// is closed. Unexpected results are recorded. Thread-safe; closing waits for the callers.
final class Trouble implements AutoCloseable {
    private static final String SESSIONS = "2025-11-25";
    private static final String STATELESS = "2026-07-28";
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /// How long a caller stays with a server that hangs, before it leaves and takes another.
    private static final Duration SOON = Duration.ofSeconds(2);

    private final URI url;
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Thread> callers = new ArrayList<>();
    private final AtomicInteger crashes = new AtomicInteger();
    private final AtomicInteger hangs = new AtomicInteger();
    private final Queue<Object> surprises = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    private Trouble(String url) {
        this.url = URI.create(url);
    }

    static Trouble at(String url) {
        Trouble trouble = new Trouble(url);
        trouble.makes("crashes", trouble::crash);
        trouble.makes("crashes-stateless", trouble::crashStateless);
        trouble.makes("hangs", trouble::hang);
        trouble.makes("hangs-stateless", trouble::hangStateless);
        return trouble;
    }

    /// What a caller does once.
    private interface Step {
        void once() throws IOException, InterruptedException;
    }

    private void makes(String what, Step step) {
        callers.add(Thread.ofVirtual().name("peers-" + what).start(() -> {
            try {
                while (!closed) {
                    step.once();
                }
            } catch (IOException | InterruptedException e) {
                surprises.add(e);
            }
        }));
    }

    /// Calls that were answered with the news of a crash.
    int crashes() {
        return crashes.get();
    }

    /// Calls that were given up because nothing came.
    int hangs() {
        return hangs.get();
    }

    List<Object> surprises() {
        return List.copyOf(surprises);
    }

    private void crash() throws IOException, InterruptedException {
        String session = session();
        for (int call = 0; call < 10 && !closed; call++) {
            note(send(call("crash", ""), LIMIT, "Mcp-Session-Id", session, "MCP-Protocol-Version", SESSIONS));
        }
        send("DELETE", "", LIMIT, "Mcp-Session-Id", session);
    }

    private void crashStateless() throws IOException, InterruptedException {
        note(sendStateless("crash", LIMIT));
    }

    private void note(HttpResponse<String> answer) {
        if (answer.body().contains("\"code\":\"server_crashed\"")) {
            crashes.incrementAndGet();
        } else {
            surprises.add(answer.body());
        }
    }

    /// A client of a session that leaves does not cancel its call; the end of the session does.
    private void hang() throws IOException, InterruptedException {
        String session = session();
        givesUp(() -> send(call("hang", ""), SOON, "Mcp-Session-Id", session, "MCP-Protocol-Version", SESSIONS));
        send("DELETE", "", LIMIT, "Mcp-Session-Id", session);
    }

    private void hangStateless() throws IOException, InterruptedException {
        givesUp(() -> sendStateless("hang", SOON));
    }

    private void givesUp(Step step) throws IOException, InterruptedException {
        try {
            step.once();
            surprises.add("an answer of a server that hangs");
        } catch (HttpTimeoutException expected) {
            hangs.incrementAndGet();
        }
    }

    // ---- The wire

    private String session() throws IOException, InterruptedException {
        String initialize = """
                {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",
                 "capabilities":{},"clientInfo":{"name":"trouble","version":"1"}}}""";
        HttpResponse<String> welcome = send(initialize, LIMIT);
        return welcome.headers().firstValue("Mcp-Session-Id").orElseThrow(() -> new IOException("" + welcome.body()));
    }

    private static String call(String tool, String meta) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool + "\"" + meta
                + "}}";
    }

    private HttpResponse<String> sendStateless(String tool, Duration limit) throws IOException, InterruptedException {
        String meta = ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}";
        return send(
                call(tool, meta),
                limit,
                "MCP-Protocol-Version",
                STATELESS,
                "Mcp-Method",
                "tools/call",
                "Mcp-Name",
                tool);
    }

    private HttpResponse<String> send(String body, Duration limit, String... headers)
            throws IOException, InterruptedException {
        return send("POST", body, limit, headers);
    }

    private HttpResponse<String> send(String method, String body, Duration limit, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(limit)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        closed = true;
        try {
            for (Thread caller : callers) {
                assertThat(caller.join(LIMIT)).as("%s has ended", caller).isTrue();
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for the callers", e);
        }
        client.close();
    }
}
