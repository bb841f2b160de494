package dev.fusebox.gateway.front;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundHttpClient;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.StreamableHttpConnector;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.era.SingleServer;
import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A client session in front of a Streamable HTTP server.
@Timeout(60)
class HttpServerTest {
    private final Platform platform = Platform.system();
    private final OutboundHttpClient outboundHttpClient =
            OutboundHttpClient.open(platform, OutboundSettings.defaults());
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private FixtureServer server;
    private LegacySession session;

    private final ClientChannel client = new ClientChannel() {
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

    @BeforeEach
    void begin() throws IOException {
        server = FixtureServer.start(ServerScript.faultless());
        StreamableHttpConnector connector =
                new StreamableHttpConnector(platform, outboundHttpClient, HttpTarget.of(server.uri()));
        session = new LegacySession(
                platform, new SingleServer(FrontTarget.of(SessionSettings.of("remote"), connector)), client);
        call(0, "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}}}");
        assertThat(next()).contains("\"id\":0", "protocolVersion");
        tell("notifications/initialized", "{}");
    }

    @AfterEach
    void end() {
        session.close();
        outboundHttpClient.close();
        server.close();
    }

    private void call(int id, String method, String params) {
        byte[] frame = ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params
                        + "}")
                .getBytes(UTF_8);
        Message.Request request = Message.Request.of(frame);
        Thread.ofVirtual().start(session.begin(request, client));
    }

    private void tell(String method, String params) {
        byte[] frame =
                ("{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":" + params + "}").getBytes(UTF_8);
        session.take(Message.Notification.of(frame));
    }

    private String next() {
        try {
            return Objects.requireNonNull(received.poll(20, SECONDS), "nothing came for 20 s");
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Test
    void call_is_answered_with_the_clients_id_and_progress_token() {
        call(7, "tools/call", "{\"name\":\"test_tool_with_progress\",\"_meta\":{\"progressToken\":\"bar\"}}");

        assertThat(next()).contains("notifications/progress", "\"progressToken\":\"bar\"");
        String answer = next();
        while (answer.contains("notifications/progress")) {
            answer = next();
        }
        assertThat(answer).contains("\"id\":7", "\"result\"");
    }

    @Test
    void server_request_is_answered_by_the_client() {
        call(8, "tools/call", "{\"name\":\"ask\",\"arguments\":{\"message\":\"Really?\"}}");
        String question = next();
        assertThat(question).contains("elicitation/create", "Really?");
        String id = question.replaceFirst(".*\"id\":(\"[^\"]*\"|[0-9]+).*", "$1");
        byte[] answer = ("{\"jsonrpc\":\"2.0\",\"id\":" + id
                        + ",\"result\":{\"action\":\"accept\",\"content\":{\"answer\":\"yes\"}}}")
                .getBytes(UTF_8);
        session.take(Message.Answer.of(answer));

        assertThat(next()).contains("\"id\":8", "yes");
    }

    @Test
    void cancelled_call_is_not_answered_and_the_session_continues() {
        call(9, "tools/call", "{\"name\":\"slow\",\"arguments\":{\"ms\":60000}}");
        tell("notifications/cancelled", "{\"requestId\":9}");
        assertThat(next()).isEqualTo("abandoned");
        call(10, "tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"still here\"}}");

        assertThat(next()).contains("\"id\":10", "still here");
    }

    @Test
    void stopped_server_is_reported_as_unreachable() {
        server.close();
        call(11, "tools/call", "{\"name\":\"echo\"}");

        assertThat(next()).contains("\"id\":11", "\"category\":\"offline\"");
    }
}
