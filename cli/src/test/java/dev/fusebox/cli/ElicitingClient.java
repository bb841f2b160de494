package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A client that shows links to its user, over HTTP in either era, and the user's browser. Thread-safe; requests block
/// until they are answered.
final class ElicitingClient {
    private static final int LIMIT_SECONDS = 30;
    private static final Pattern LINK = Pattern.compile("<a href=\"([^\"]+)\"");

    private final URI endpoint;
    private final String capabilities;
    private final AtomicLong lastId = new AtomicLong();
    private final BlockingQueue<JsonView> questions = new LinkedBlockingQueue<>();
    private final List<JsonView> notifications = new CopyOnWriteArrayList<>();
    private volatile String session = "";

    private ElicitingClient(URI endpoint, String capabilities) {
        this.endpoint = endpoint;
        this.capabilities = capabilities;
    }

    /// A client without a session.
    static ElicitingClient modern(URI endpoint) {
        return new ElicitingClient(endpoint, "{\"elicitation\":{\"url\":{}}}");
    }

    /// A client with a session.
    static ElicitingClient legacy(URI endpoint) throws IOException {
        return legacy(endpoint, "{\"elicitation\":{\"url\":{}}}");
    }

    static ElicitingClient legacy(URI endpoint, String capabilities) throws IOException {
        ElicitingClient client = new ElicitingClient(endpoint, capabilities);
        HttpURLConnection hello = client.post(
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                        + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":" + capabilities
                        + ",\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}",
                Map.of());
        client.session = Objects.requireNonNull(hello.getHeaderField("Mcp-Session-Id"));
        client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        return client;
    }

    // ---- Requests

    private HttpURLConnection post(String body, Map<String, String> headers) throws IOException {
        HttpURLConnection post = (HttpURLConnection) endpoint.toURL().openConnection();
        post.setDoOutput(true);
        post.setReadTimeout(LIMIT_SECONDS * 1_000);
        post.setRequestProperty("Content-Type", "application/json");
        post.setRequestProperty("Accept", "application/json, text/event-stream");
        if (!session.isEmpty()) {
            post.setRequestProperty("Mcp-Session-Id", session);
        }
        headers.forEach(post::setRequestProperty);
        try (OutputStream out = post.getOutputStream()) {
            out.write(body.getBytes(UTF_8));
        }
        assertThat(post.getResponseCode()).as(body).isLessThan(300);
        return post;
    }

    private void send(String frame) throws IOException {
        post(frame, Map.of()).disconnect();
    }

    /// The gateway tool calls the tool `echo`, too.
    private static String arguments(String tool) {
        String text = "{\"text\":\"hello\"}";
        return tool.equals("mcp_call") ? "{\"server\":\"jira\",\"tool\":\"echo\",\"args\":" + text + "}" : text;
    }

    /// Calls a tool in the session; questions that come meanwhile are kept.
    JsonView call(String tool) throws IOException {
        return answer(post(
                "{\"jsonrpc\":\"2.0\",\"id\":" + lastId.incrementAndGet() + ",\"method\":\"tools/call\",\"params\":"
                        + "{\"name\":\"" + tool + "\",\"arguments\":" + arguments(tool) + "}}",
                Map.of()));
    }

    /// The same, on a thread of its own.
    FutureTask<JsonView> calling(String tool) {
        FutureTask<JsonView> call = new FutureTask<>(() -> call(tool));
        Thread.ofVirtual().start(call);
        return call;
    }

    /// Calls a tool without a session.
    ///
    /// @param more members of the parameters, each with a comma in front
    JsonView call(String tool, String more) throws IOException {
        return answer(post(
                "{\"jsonrpc\":\"2.0\",\"id\":" + lastId.incrementAndGet() + ",\"method\":\"tools/call\",\"params\":"
                        + "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                        + "\"io.modelcontextprotocol/clientCapabilities\":" + capabilities + "},\"name\":\"" + tool
                        + "\",\"arguments\":" + arguments(tool) + more + "}}",
                Map.of("Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool)));
    }

    /// Repeats a call with the answer to the question that it was given.
    JsonView callAgain(String tool, JsonView asked, String action) throws IOException {
        String state = Objects.requireNonNull(asked.path("result", "requestState"), asked::json)
                .json();
        return call(
                tool,
                ",\"requestState\":" + state + ",\"inputResponses\":{\"fusebox-login\":{\"action\":\"" + action
                        + "\"}}");
    }

    private JsonView answer(HttpURLConnection post) throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(post.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String json = line.startsWith("data:") ? line.substring(5).strip() : line;
                if (json.startsWith("{") && isAnswer(JsonView.of(json))) {
                    return JsonView.of(json);
                }
            }
        }
        throw new AssertionError("the response has ended without an answer");
    }

    private boolean isAnswer(JsonView frame) {
        if (frame.member("method") == null) {
            return true;
        }
        boolean _ = frame.member("id") == null ? notifications.add(frame) : questions.add(frame);
        return false;
    }

    // ---- Questions

    /// The next question.
    JsonView question() throws InterruptedException {
        JsonView question = questions.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertThat(question).as("a question of the gateway").isNotNull();
        return question;
    }

    /// The questions that no test has looked at.
    int questions() {
        return questions.size();
    }

    List<String> notifications() {
        return notifications.stream().map(frame -> frame.string("method")).toList();
    }

    void answer(JsonView question, String action) throws IOException {
        String id = Objects.requireNonNull(question.member("id")).json();
        send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"action\":\"" + action + "\"}}");
    }

    /// The link of a question, in either era.
    static URI link(JsonView question) {
        JsonView legacy = question.path("params", "url");
        JsonView url =
                legacy == null ? question.path("result", "inputRequests", "fusebox-login", "params", "url") : legacy;
        return URI.create(Objects.requireNonNull(
                Objects.requireNonNull(url, question::json).string()));
    }

    // ---- The browser

    /// Opens the link, follows the only link of its page, and gives the last page.
    static String visit(URI link) throws IOException {
        Matcher next = LINK.matcher(page(link));
        assertThat(next.find()).as("the page has a link").isTrue();
        return page(link.resolve(next.group(1)));
    }

    static String page(URI address) throws IOException {
        HttpURLConnection page = (HttpURLConnection) address.toURL().openConnection();
        page.setReadTimeout(LIMIT_SECONDS * 1_000);
        try (InputStream in = page.getResponseCode() < 400 ? page.getInputStream() : page.getErrorStream()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
