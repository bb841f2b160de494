package dev.fusebox.gateway.front;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.era.SingleServer;
import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A session in front of servers written in a few lines of shell, so that the test chooses each line. The session
/// numbers its requests from 1, and the handshake is the first.
@Tag("process")
@Timeout(60)
class LegacySessionTest {
    private static final String WELCOME = "answer 1 '{\"protocolVersion\":\"2025-11-25\"}'; hear; ";

    /// `hear` reads and records a line, `answer` sends a result, `say` any line.
    private static final String WORDS = "hear() { read -r line || exit 0; printf '%s\\n' \"$line\" >>\"$heard\"; }; "
            + "say() { printf '%s\\n' \"$1\"; }; "
            + "answer() { say '{\"jsonrpc\":\"2.0\",\"id\":'\"$1\"',\"result\":'\"$2\"'}'; }; ";

    private final Platform platform = Platform.system();
    private final ChildProcesses children = ChildProcesses.open(platform);
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private SessionSettings settings = SessionSettings.of("shell");
    private @Nullable LegacySession session;

    @TempDir
    Path folder;

    @AfterEach
    void end() {
        session().close();
        children.close();
    }

    /// A client and its server after their handshake.
    private void greeted(String script) {
        String whole = "heard=" + heard() + "; " + WORDS + "hear; " + WELCOME + script;
        ChildSpec spec = ChildSpec.of("/bin/sh", "-c", whole);
        session = new LegacySession(
                platform,
                new SingleServer(FrontTarget.of(settings, new StdioConnector(platform, "shell", children, spec))),
                collecting());
        call(0, "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}");
        assertThat(next()).contains("protocolVersion");
        tell("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    }

    private LegacySession session() {
        return Objects.requireNonNull(session, "no handshake yet");
    }

    private Path heard() {
        return folder.resolve("heard");
    }

    private ClientChannel collecting() {
        return new ClientChannel() {
            @Override
            public void send(byte[] frame) {
                received.add(new String(frame, UTF_8));
            }

            @Override
            public void finish(byte[] answer) {
                received.add(new String(answer, UTF_8));
            }

            @Override
            public void abandon() {
                received.add("abandoned");
            }
        };
    }

    private void call(int id, String method, String params) {
        byte[] frame = ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params
                        + "}")
                .getBytes(UTF_8);
        Message.Request request = Message.Request.of(frame);
        Thread.ofVirtual().start(session().begin(request, collecting()));
    }

    private void tell(String notification) {
        byte[] frame = notification.getBytes(UTF_8);
        session().take(Message.Notification.of(frame));
    }

    private String next() {
        try {
            return Objects.requireNonNull(received.poll(20, SECONDS), "nothing came for 20 s");
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Test
    void reserved_meta_keys_of_a_server_are_removed() {
        greeted("hear; answer 2 '{\"_meta\":{\"a\":1,"
                + "\"fusebox/server\":\"x\",\"\\u0066usebox/error\":{}},\"b\":2}'; hear");

        call(7, "tools/call", "{\"name\":\"any\"}");

        assertThat(next()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"_meta\":{\"a\":1},\"b\":2}}");
    }

    @Test
    void response_without_reserved_keys_stays_byte_for_byte() {
        greeted("hear; answer 2 '{ \"_meta\" : {\"a\":1.50}, \"content\":[ ]}'; hear");

        call(7, "tools/call", "{\"name\":\"any\"}");

        assertThat(next())
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{ \"_meta\" : {\"a\":1.50}, \"content\":[ ]}}");
    }

    @Test
    void task_progress_is_delivered_after_the_response() {
        greeted("hear; answer 2 '{\"task\":{\"taskId\":\"t\",\"status\":\"working\"}}'; "
                + "say '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
                + "\"params\":{\"progressToken\":2,\"progress\":1}}'; hear");

        call(7, "tools/call", "{\"name\":\"any\",\"task\":{},\"_meta\":{\"progressToken\":\"mine\"}}");

        // Messages after a response may overtake it: they are delivered by the reader thread, the response by the
        // call's own thread.
        assertThat(List.of(next(), next()))
                .anyMatch(frame -> frame.contains("\"taskId\":\"t\""))
                .anyMatch(frame -> frame.contains("\"progressToken\":\"mine\""));
    }

    @Test
    void restarted_server_gets_the_same_handshake() throws IOException {
        greeted("hear; answer 2 '{}'; hear; answer 3 '{}'; hear; "
                + "case $line in *any*) exit 3;; esac; answer 4 '{}'; hear");
        call(1, "logging/setLevel", "{\"level\":\"warning\"}");
        next();
        call(2, "resources/subscribe", "{\"uri\":\"a://b\"}");
        next();
        call(3, "tools/call", "{\"name\":\"any\"}");
        assertThat(next()).contains("\"exitCode\":3");

        call(4, "tools/list", "{}");

        assertThat(next()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}");
        List<String> lines = Files.readAllLines(heard());
        assertThat(lines.subList(5, 10))
                .as("what the second server heard")
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"initialize\""),
                        line -> assertThat(line).contains("notifications/initialized"),
                        line -> assertThat(line).contains("logging/setLevel").contains("warning"),
                        line -> assertThat(line).contains("resources/subscribe").contains("a://b"),
                        line -> assertThat(line).contains("tools/list"));
    }

    @Test
    void unanswered_server_request_is_answered_after_a_timeout() throws IOException {
        settings = settings.withClientWait(Duration.ofMillis(200));
        greeted("hear; say '{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"roots/list\"}'; hear; answer 2 '{}'; hear");
        call(1, "tools/list", "{}");
        assertThat(next()).contains("roots/list").contains("\"id\":1");

        List<String> later = List.of(next(), next());

        assertThat(later).anyMatch(frame -> frame.contains("notifications/cancelled"));
        assertThat(Files.readAllLines(heard()))
                .anyMatch(line -> line.contains("\"id\":\"q\"") && line.contains("error"));
    }

    @Test
    void requests_above_the_limit_are_rejected_and_others_continue() {
        settings = settings.withCalls(2, 1 << 20);
        greeted("hear; hear; hear; answer 2 '{}'; answer 3 '{}'; hear");
        call(1, "tools/call", "{\"name\":\"one\"}");
        call(2, "tools/call", "{\"name\":\"two\"}");

        call(3, "tools/call", "{\"name\":\"three\"}");

        assertThat(next()).contains("\"id\":3").contains("overloaded").contains("not_sent");
        tell("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/go-on\"}");
        assertThat(List.of(next(), next())).allMatch(frame -> frame.endsWith("\"result\":{}}"));
    }

    @Test
    void cancelled_call_is_not_answered_and_its_server_is_notified_by_its_own_id() throws IOException {
        greeted("hear; hear; answer 2 '{\"late\":true}'; hear; answer 3 '{}'; hear");
        call(70, "tools/call", "{\"name\":\"one\"}");
        // A call that is cancelled before it was sent is never sent.
        eventually(
                "the call has reached the server",
                () -> Machine.journal(heard()).stream().anyMatch(line -> line.contains("tools/call")));
        tell("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":70}}");
        assertThat(next()).isEqualTo("abandoned");

        call(71, "tools/list", "{}");

        assertThat(next()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":71,\"result\":{}}");
        assertThat(Files.readAllLines(heard()))
                .anyMatch(line -> line.contains("notifications/cancelled") && line.contains("\"requestId\":2"));
    }
}
