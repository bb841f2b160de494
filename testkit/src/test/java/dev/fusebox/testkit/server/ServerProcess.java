package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A scripted server as a real process, and its client: writes and reads raw lines. Closing kills it.
final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final OutputStream in;
    private final Lines out;
    private final Lines err;

    private ServerProcess(Process process) {
        this.process = process;
        this.in = process.getOutputStream();
        this.out = Lines.of(process.getInputStream());
        this.err = Lines.of(process.getErrorStream());
    }

    static ServerProcess start(ServerScript script) throws IOException {
        return start(script, Map.of());
    }

    static ServerProcess start(ServerScript script, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(ScriptedServer.stdio(script));
        // A Java that is told to take options from there says so on standard error.
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(environment);
        return new ServerProcess(builder.start());
    }

    /// Started, and past the handshake.
    static ServerProcess connected(ScriptedFault... faults) throws IOException, InterruptedException {
        ServerProcess serverProcess = start(ServerScript.faultless().with(faults));
        serverProcess.initialize();
        return serverProcess;
    }

    void initialize() throws IOException, InterruptedException {
        send(initializeWith("2025-11-25"));
        assertThat(out.answerTo(0).member("result")).isNotNull();
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    }

    static String initializeWith(String revision) {
        return "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"" + revision
                + "\",\"capabilities\":{\"sampling\":{},\"elicitation\":{},\"roots\":{}},"
                + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}";
    }

    void send(String line) throws IOException {
        in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    void request(int id, String method, String params) throws IOException {
        send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}");
    }

    void call(int id, String tool, String arguments) throws IOException {
        request(id, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
    }

    /// Calls `echo` so that these faults happen.
    void callWith(int id, String... faults) throws IOException {
        String asked = faults.length == 0 ? "" : ",\"fault\":[\"" + String.join("\",\"", faults) + "\"]";
        call(id, "echo", "{\"text\":\"hello\"" + asked + "}");
    }

    void cancel(int id) throws IOException {
        send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" + id + "}}");
    }

    /// The text a call was answered with.
    String textOf(int id) throws InterruptedException {
        return text(out.answerTo(id));
    }

    static String text(JsonView answer) {
        return String.valueOf(
                Found.at(answer, "result", "content").elements().getFirst().string("text"));
    }

    /// Whether it still answers. Uses the id given.
    void assertWorks(int id) throws IOException, InterruptedException {
        call(id, "echo", "{\"text\":\"alive\"}");
        assertThat(textOf(id)).isEqualTo("alive");
    }

    /// Whether a ping is the next thing answered, so that everything before it stayed without an answer.
    void assertSilentBefore(int id) throws IOException, InterruptedException {
        request(id, "ping", "{}");
        assertThat(out.next()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}");
    }

    Lines out() {
        return out;
    }

    Lines err() {
        return err;
    }

    /// Unlike the process, its handle leaves the pipes alone when it ends it.
    ProcessHandle handle() {
        return process.toHandle();
    }

    OutputStream in() {
        return in;
    }

    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).as("it ends").isTrue();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
