package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.RequestId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A legacy client of a shared gateway on the standard streams of its connector, a process of its own. It answers
/// every question with its name. Thread-safe; waits are bounded.
final class SharedClient implements AutoCloseable {
    private final String name;
    private volatile String root;
    private volatile boolean isSilent;
    private final Process process;
    private final Path errors;
    private final AtomicInteger lastId = new AtomicInteger();
    private final Map<String, JsonView> answers = new ConcurrentHashMap<>();
    private final List<JsonView> questions = new CopyOnWriteArrayList<>();
    private final List<JsonView> notifications = new CopyOnWriteArrayList<>();

    SharedClient(String name, Process process, Path errors) {
        this.name = name;
        this.root = name;
        this.process = process;
        this.errors = errors;
        Thread.ofVirtual().start(this::read);
    }

    private void read() {
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                receive(JsonView.of(line));
            }
        } catch (IOException e) {
            // The process is gone.
            return;
        }
    }

    private void receive(JsonView message) {
        JsonView id = message.member("id");
        String method = message.string("method");
        if (method == null) {
            answers.put(Objects.requireNonNull(id).json(), message);
        } else if (id == null) {
            notifications.add(message);
        } else {
            questions.add(message);
            if (isSilent) {
                return;
            }
            write(JsonRpcFrames.result(Objects.requireNonNull(RequestId.read(id)), answerTo(method)));
        }
    }

    private String answerTo(String method) {
        return switch (method) {
            case "roots/list" -> "{\"roots\":[{\"uri\":\"file:///" + root + "\"}]}";
            case "sampling/createMessage" ->
                "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"" + name + "\"}}";
            default -> "{\"action\":\"accept\",\"content\":{\"who\":\"" + name + "\"}}";
        };
    }

    private synchronized void write(byte[] frame) {
        try {
            OutputStream out = process.getOutputStream();
            out.write(frame);
            out.write('\n');
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Answers questions only by [#reply] from now on.
    SharedClient silent() {
        isSilent = true;
        return this;
    }

    void reply(JsonView question, String result) {
        RequestId id = RequestId.read(Objects.requireNonNull(question.member("id")));
        write(JsonRpcFrames.result(Objects.requireNonNull(id), result));
    }

    SharedClient rootedAt(String other) {
        root = other;
        return this;
    }

    void rootsChanged() {
        write(JsonRpcFrames.notification("notifications/roots/list_changed", null));
    }

    SharedClient hello(String capabilities) {
        answer(
                "initialize",
                "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":" + capabilities + ",\"clientInfo\":{\"name\":\""
                        + name + "\",\"version\":\"1\"}}");
        write(JsonRpcFrames.notification("notifications/initialized", null));
        return this;
    }

    /// Sends a request and does not wait for its answer.
    String send(String method, String params) {
        RequestId id = RequestId.of(lastId.incrementAndGet());
        write(JsonRpcFrames.request(id, method, params));
        return id.json();
    }

    void cancel(String id) {
        write(JsonRpcFrames.notification("notifications/cancelled", "{\"requestId\":" + id + "}"));
    }

    String sendCall(String tool, String text) {
        String arguments = "{\"text\":" + JsonWriter.quoted(text) + "}";
        return send("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
    }

    /// Calls a tool by `mcp_call`.
    JsonView viaGateway(String server, String tool) {
        String arguments = "{\"server\":\"" + server + "\",\"tool\":\"" + tool + "\",\"args\":{}}";
        return answer("tools/call", "{\"name\":\"mcp_call\",\"arguments\":" + arguments + "}");
    }

    JsonView await(String id) {
        eventually(
                "request " + id + " of " + name + " is answered",
                Duration.ofSeconds(60),
                () -> answers.containsKey(id));
        return Objects.requireNonNull(answers.get(id));
    }

    JsonView answer(String method, String params) {
        return await(send(method, params));
    }

    /// The text of the result of a tool.
    String call(String tool, String text) {
        return text(await(sendCall(tool, text)));
    }

    static String text(JsonView answer) {
        JsonView content = answer.path("result", "content");
        return content == null
                ? answer.json()
                : Objects.requireNonNull(content.elements().getFirst().string("text"));
    }

    /// The error object of a failed call; null if it has none.
    static @Nullable JsonView error(JsonView answer) {
        return answer.path("result", "_meta", "fusebox/error");
    }

    boolean isAnswered(String id) {
        return answers.containsKey(id);
    }

    List<JsonView> questions() {
        return questions;
    }

    List<JsonView> notifications() {
        return notifications;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    Path errors() {
        return errors;
    }

    /// Ends the input, and waits for the end of the connector.
    int leave() {
        try {
            process.getOutputStream().close();
            eventually("the connector of " + name + " has ended", Duration.ofSeconds(30), () -> !process.isAlive());
            return process.exitValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
