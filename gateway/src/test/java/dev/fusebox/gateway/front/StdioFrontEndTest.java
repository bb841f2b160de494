package dev.fusebox.gateway.front;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.era.SingleServer;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A client on standard input and output, with a real server process.
@Tag("process")
@Timeout(60)
class StdioFrontEndTest {
    private static final String HELLO = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
            + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},"
            + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}";

    private final Platform platform = Platform.system();
    private final ChildProcesses children = ChildProcesses.open(platform);
    private OutputStream toFront;
    private BufferedReader fromFront;
    private final CountDownLatch left = new CountDownLatch(1);
    private StdioFrontEnd front;

    @BeforeEach
    void begin() throws IOException {
        List<String> command = ScriptedServer.stdio(ServerScript.faultless());
        ChildSpec spec = ChildSpec.of(
                command.getFirst(), command.subList(1, command.size()).toArray(String[]::new));
        Pipe in = Pipe.open();
        Pipe out = Pipe.open();
        toFront = Channels.newOutputStream(in.sink());
        fromFront = new BufferedReader(new InputStreamReader(Channels.newInputStream(out.source()), UTF_8));
        FrontTarget frontTarget =
                FrontTarget.of(SessionSettings.of("fixture"), new StdioConnector(platform, "fixture", children, spec));
        StdioFrontEnd.Streams streams =
                new StdioFrontEnd.Streams(Channels.newInputStream(in.source()), Channels.newOutputStream(out.sink()));
        front = new StdioFrontEnd(platform, new SingleServer(frontTarget), SecretIds.system(), streams);
        front.start(left::countDown);
    }

    @AfterEach
    void end() throws Exception {
        toFront.close();
        assertThat(left.await(30, SECONDS))
                .as("the front noticed that its client left")
                .isTrue();
        front.close(Duration.ofSeconds(5));
        fromFront.close();
        children.close();
    }

    private void say(String frame) throws IOException {
        toFront.write((frame + "\n").getBytes(UTF_8));
        toFront.flush();
    }

    /// The response with this id; earlier messages are skipped.
    private JsonView answer(String id) throws IOException {
        while (true) {
            JsonView frame = JsonView.of(Objects.requireNonNull(fromFront.readLine(), "the front has ended"));
            JsonView answered = frame.member("id");
            if (frame.member("method") == null
                    && answered != null
                    && answered.json().equals(id)) {
                return frame;
            }
        }
    }

    private JsonView question() throws IOException {
        while (true) {
            JsonView frame = JsonView.of(Objects.requireNonNull(fromFront.readLine(), "the front has ended"));
            if (frame.member("method") != null && frame.member("id") != null) {
                return frame;
            }
        }
    }

    private JsonView told(String method) throws IOException {
        while (true) {
            JsonView frame = JsonView.of(Objects.requireNonNull(fromFront.readLine(), "the front has ended"));
            if (method.equals(frame.string("method"))) {
                return frame;
            }
        }
    }

    private static String call(String id, String tool, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + "}}";
    }

    @Test
    void messages_sent_with_the_handshake_wait_for_its_response() throws IOException {
        say(HELLO);
        say(call("\"seven\"", "echo", "{\"text\":\"hi\"}"));

        assertThat(answer("\"seven\"").path("result", "content")).isNotNull();
    }

    @Test
    void call_before_the_handshake_is_rejected_and_starts_nothing() throws IOException {
        say(call("1", "echo", "{\"text\":\"hi\"}"));

        assertThat(answer("1").json()).contains("send initialize first").contains("not_sent");
        assertThat(children.live()).isEmpty();
    }

    @Test
    void crash_is_reported_at_once_and_the_next_call_gets_a_new_server() throws IOException {
        say(HELLO);
        answer("0");
        say(call("1", "crash", "{}"));

        JsonView crashed = answer("1");

        assertThat(crashed.path("result", "_meta", "fusebox/error")).isNotNull();
        assertThat(crashed.json()).contains("server_crashed").contains("\"outcome\":\"unknown\"");
        say(call("2", "echo", "{\"text\":\"back\"}"));
        assertThat(answer("2").json()).contains("back");
    }

    @Test
    void server_request_gets_the_clients_response() throws IOException {
        say(HELLO);
        answer("0");
        say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        say(call("1", "test_elicitation", "{\"message\":\"who?\"}"));

        JsonView question = question();
        assertThat(question.string("method")).isEqualTo("elicitation/create");
        String id = Objects.requireNonNull(question.member("id")).json();
        say("{\"jsonrpc\":\"2.0\",\"id\":" + id
                + ",\"result\":{\"action\":\"accept\",\"content\":{\"username\":\"ada\",\"email\":\"a@b\"}}}");

        assertThat(answer("1").json()).contains("ada");
    }

    /// The response would have no recipient, and the user would be left with a dialog that has no effect.
    @Test
    void server_request_is_cancelled_when_the_server_disconnects() throws IOException {
        say(HELLO);
        answer("0");
        say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        say(call("1", "test_elicitation", "{\"message\":\"who?\"}"));
        JsonView asked = Objects.requireNonNull(question().member("id"));
        say(call("2", "crash", "{}"));

        JsonView told = told("notifications/cancelled");

        assertThat(told.path("params", "requestId")).isEqualTo(asked);
        assertThat(answer("1").json()).contains("server_crashed");
    }

    /// Every line that is not a message is answered, and the responses to a few thousand exceed the buffer of a
    /// pipe.
    @Test
    void client_that_reads_nothing_until_the_limit_counts_as_gone() throws Exception {
        Pipe in = Pipe.open();
        Pipe out = Pipe.open();
        StdioFrontEnd.Streams streams = new StdioFrontEnd.Streams(
                Channels.newInputStream(in.source()), Channels.newOutputStream(out.sink()), Duration.ofMillis(100));
        ChildSpec none = ChildSpec.of("/bin/false");
        FrontTarget nobody =
                FrontTarget.of(SessionSettings.of("nobody"), new StdioConnector(platform, "nobody", children, none));
        StdioFrontEnd deaf = new StdioFrontEnd(platform, new SingleServer(nobody), SecretIds.system(), streams);
        CountDownLatch gone = new CountDownLatch(1);
        deaf.start(gone::countDown);

        Channels.newOutputStream(in.sink()).write("x\n".repeat(5_000).getBytes(UTF_8));

        assertThat(gone.await(20, SECONDS)).isTrue();
        out.source().close();
        in.sink().close();
        deaf.close(Duration.ofMillis(1));
    }

    @Test
    void progress_has_the_clients_own_token() throws IOException {
        say(HELLO);
        answer("0");
        say("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"test_tool_with_progress\","
                + "\"arguments\":{},\"_meta\":{\"progressToken\":\"mine\"}}}");

        JsonView progress = JsonView.of(fromFront.readLine());

        assertThat(progress.string("method")).isEqualTo("notifications/progress");
        assertThat(progress.path("params", "progressToken")).hasToString("\"mine\"");
        assertThat(answer("1").path("result", "content")).isNotNull();
    }

    @Test
    void line_that_is_not_a_message_is_answered_and_the_session_continues() throws IOException {
        say(HELLO);
        answer("0");
        say("this is no JSON");
        say("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}");

        assertThat(JsonView.of(fromFront.readLine()).path("error", "code")).hasToString("-32700");
        assertThat(answer("5").member("result")).hasToString("{}");
    }
}
