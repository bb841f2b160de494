package dev.fusebox.gateway.front;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.session.ProtocolRevision;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The front end for clients of revision 2024-11-05, request by request.
@Tag("process")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SseFrontTest {
    private static final String SECRET = "/messages\\?sessionId=[0-9a-f]{32}";
    private static final String META = "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    private WebGateway gateway;

    @BeforeAll
    void open() {
        gateway = WebGateway.of(Servers.scripted(ServerScript.faultless()));
    }

    @AfterAll
    void close() {
        gateway.close();
    }

    private WebClient.Answer get(String path, String more) throws IOException {
        try (WebClient client = gateway.connect()) {
            return client.at(path).ask("GET", more);
        }
    }

    // ---- The stream

    @Test
    void first_event_is_an_unguessable_message_endpoint() throws IOException {
        try (SseClient one = SseClient.of(gateway);
                SseClient other = SseClient.of(gateway)) {
            assertThat(one.endpoint()).matches(SECRET).isNotEqualTo(other.endpoint());
            assertThat(other.endpoint()).matches(SECRET);
            assertThat(one.headers()).containsEntry("content-type", "text/event-stream");
            assertThat(one.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
        }
    }

    @Test
    void message_is_accepted_before_its_response_is_ready() throws IOException {
        try (SseClient client = SseClient.of(gateway).hello()) {
            client.tell(Frame.call("1", "slow", "{\"ms\":60000}"));
            assertThat(client.echo("2", "meanwhile")).isEqualTo("meanwhile");
            client.tell("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");
            assertThat(client.answer("3").member("result")).hasToString("{}");
            assertThat(client.heard()).isEmpty();
        }
    }

    @Test
    void cancelled_call_is_not_answered_and_the_session_continues() throws IOException {
        try (SseClient client = SseClient.of(gateway).hello()) {
            client.tell(Frame.call("1", "slow", "{\"ms\":60000}"));
            client.tell(Frame.cancel("1"));
            assertThat(client.echo("2", "still here")).isEqualTo("still here");
            assertThat(client.heard()).isEmpty();
        }
    }

    @Test
    void progress_and_server_requests_precede_the_response_on_the_stream() throws IOException {
        try (SseClient client = SseClient.of(gateway)) {
            client.tell(Frame.hello("0").replace("\"capabilities\":{}", "\"capabilities\":{\"elicitation\":{}}"));
            client.answer("0");
            client.tell(Frame.INITIALIZED);
            client.tell(Frame.call("1", "test_tool_with_progress", "{},\"_meta\":{\"progressToken\":\"mine\"}"));
            assertThat(client.answer("1").member("result")).isNotNull();
            assertThat(client.heard()).hasSize(3).allMatch(it -> it.json().contains("\"progressToken\":\"mine\""));

            client.tell(Frame.call("2", "ask", "{\"message\":\"Really?\"}"));
            JsonView question = client.message();
            assertThat(question.string("method")).isEqualTo("elicitation/create");
            String result = ",\"result\":{\"action\":\"accept\",\"content\":{\"answer\":\"yes\"}}}";
            client.tell("{\"jsonrpc\":\"2.0\",\"id\":" + question.member("id") + result);
            assertThat(client.answer("2").json()).contains("yes");
        }
    }

    // ---- Revisions

    @ParameterizedTest
    @EnumSource
    void every_legacy_revision_is_negotiable_and_one_has_batches(ProtocolRevision revision) throws IOException {
        try (SseClient client = SseClient.of(gateway)) {
            client.tell(Frame.hello("0").replace("2025-11-25", revision.toString()));
            assertThat(client.answer("0").path("result", "protocolVersion")).hasToString("\"" + revision + "\"");
            client.tell(Frame.INITIALIZED);

            String batch = "[" + Frame.echo("1", "one") + "," + Frame.INITIALIZED + "," + Frame.echo("2", "two") + "]";
            WebClient.Answer answer = client.messages().post(batch);

            if (revision.hasBatches()) {
                assertThat(answer.status()).isEqualTo(202);
                assertThat(client.message().elements()).hasSize(2);
                client.tell("[" + Frame.INITIALIZED + "]");
            } else {
                assertThat(answer.status()).isEqualTo(400);
                assertThat(answer.body()).contains("-32600", "does not support batches");
            }
            assertThat(client.echo("3", "afterwards")).isEqualTo("afterwards");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"server/discover", "tools/list", "subscriptions/listen"})
    void modern_request_is_rejected_with_the_supported_revisions(String method) throws IOException {
        String request = "{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"" + method + "\",\"params\":" + META + "}}";
        try (SseClient client = SseClient.of(gateway)) {
            client.tell(request);
            JsonView before = client.answer("\"s\"");
            client.hello();
            client.tell(request);

            assertThat(client.answer("\"s\"")).isEqualTo(before);
            assertThat(before.path("error", "code")).hasToString("-32022");
            assertThat(before.path("error", "data"))
                    .hasToString("{\"supported\":[\"2025-11-25\",\"2025-06-18\",\"2025-03-26\",\"2024-11-05\"],"
                            + "\"requested\":\"2026-07-28\"}");
        }
    }

    @Test
    void version_header_may_name_only_legacy_revisions() throws IOException {
        try (SseClient client = SseClient.of(gateway).hello()) {
            assertThat(status(client, Frame.echo("1", "x"), "Mcp-Protocol-Version: 2024-11-05"))
                    .isEqualTo(202);
            assertThat(status(client, Frame.echo("2", "x"), "Mcp-Protocol-Version: 1999-01-01"))
                    .isEqualTo(400);
        }
    }

    // ---- Rejected requests

    @ParameterizedTest
    @CsvSource({
        "POST, /sse, GET",
        "HEAD, /sse, GET",
        "DELETE, /sse, GET",
        "OPTIONS, /sse, GET",
        "GET, /messages, POST",
        "HEAD, /messages, POST",
        "DELETE, /messages, POST",
        "OPTIONS, /messages, POST"
    })
    void wrong_method_is_rejected_with_the_allowed_ones(String method, String path, String allowed) throws IOException {
        try (WebClient client = gateway.connect().at(path)) {
            WebClient.Answer answer = client.ask(method, "");
            assertThat(answer.status()).isEqualTo(405);
            assertThat(answer.headers()).containsEntry("allow", allowed);
            assertThat(answer.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/sse/", "/messages/", "/sses", "/message"})
    void similar_path_is_not_found(String path) throws IOException {
        assertThat(get(path, "").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/sse", "/messages", "/messages?sessionId=0"})
    void foreign_origin_is_rejected_on_every_path(String path) throws IOException {
        int sessions = gateway.sessions();
        assertThat(get(path, "Origin: http://evil.example\r\n").status()).isEqualTo(403);
        assertThat(get(path, "Origin: null\r\n").status()).isEqualTo(403);
        try (WebClient client = gateway.connect().at(path)) {
            assertThat(client.foreign("evil.example").status()).isEqualTo(403);
        }
        for (String origin : List.of("http://evil.example", "null")) {
            byte[] ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".getBytes(UTF_8);
            try (WebClient client = gateway.connect().at(path)) {
                assertThat(client.post(ping, "Origin: " + origin + "\r\n").status())
                        .isEqualTo(403);
            }
        }
        assertThat(gateway.sessions()).isLessThanOrEqualTo(sessions);
    }

    @Test
    void message_needs_an_existing_session_of_this_transport() throws IOException {
        try (SseClient client = SseClient.of(gateway).hello();
                WebClient streamable = gateway.connect().hello();
                WebClient other = gateway.connect()) {
            String own = client.endpoint().substring(client.endpoint().indexOf('=') + 1);
            String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

            assertThat(other.at("/messages").post(ping).status()).isEqualTo(400);
            assertThat(other.at("/messages?session=" + own).post(ping).status()).isEqualTo(400);
            assertThat(other.at("/messages?sessionId=").post(ping).status()).isEqualTo(404);
            assertThat(other.at("/messages?sessionId=" + "0".repeat(32))
                            .post(ping)
                            .status())
                    .isEqualTo(404);
            assertThat(other.at("/messages?sessionId=" + streamable.session())
                            .post(ping)
                            .status())
                    .isEqualTo(404);
            assertThat(other.at("/mcp").in(own).post(ping).status()).isEqualTo(404);
            assertThat(other.at("/messages?a=b&sessionId=" + own).post(ping).status())
                    .isEqualTo(202);
            assertThat(client.answer("1").member("result")).isNotNull();
        }
    }

    @Test
    void malformed_message_is_rejected_and_the_session_continues() throws IOException {
        try (SseClient client = SseClient.of(gateway).hello()) {
            assertThat(client.messages().post("no JSON").status()).isEqualTo(400);
            assertThat(client.messages().post(new byte[0]).status()).isEqualTo(400);
            assertThat(client.messages().post("[]").status()).isEqualTo(400);
            assertThat(client.echo("1", "alive")).isEqualTo("alive");

            try (WebClient large = gateway.connect().at(client.endpoint())) {
                WebClient.Answer refused =
                        large.ask("POST", "Content-Type: application/json\r\nContent-Length: 4194305\r\n");
                assertThat(refused.status()).isEqualTo(413);
                assertThat(Frame.read(refused.body()).path("error", "code")).hasToString("-32600");
            }
            try (WebClient form = gateway.connect().at(client.endpoint())) {
                String type = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n";
                assertThat(form.ask("POST", type).status()).isEqualTo(415);
            }
            assertThat(client.echo("2", "alive")).isEqualTo("alive");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "*/*", ""})
    void stream_requires_an_explicit_accept_type(String accepted) throws IOException {
        try (WebClient client = gateway.connect().at("/sse").accepting(accepted)) {
            assertThat(client.ask("GET", "").status()).isEqualTo(406);
        }
    }

    private int status(SseClient client, String message, String header) throws IOException {
        try (WebClient other = gateway.connect().at(client.endpoint())) {
            return other.post(message.getBytes(UTF_8), header + "\r\n").status();
        }
    }
}
