package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The stateless era over HTTP, byte by byte.
@Timeout(60)
class ModernHttpTest {
    private static final String BOTH = "Accept: application/json, text/event-stream\r\n";
    private static final String REVISION = "MCP-Protocol-Version: 2026-07-28\r\n";
    private static final String LIST = Stateless.request(1, "tools/list", Stateless.params(""));

    private FixtureServer server;

    @BeforeEach
    void start() throws IOException {
        server = FixtureServer.start(ServerScript.faultless());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String headers(String method) {
        return REVISION + "Mcp-Method: " + method + "\r\n";
    }

    private RawHttp send(String headers, String body) throws IOException {
        return RawHttp.send("POST", server.uri(), headers + BOTH, body);
    }

    private RawHttp call(String tool, String arguments) throws IOException {
        return call(tool, arguments, "");
    }

    private RawHttp call(String tool, String arguments, String more) throws IOException {
        String body = Stateless.request(5, "tools/call", Stateless.params(Stateless.tool(tool, arguments)));
        return send(headers("tools/call") + "Mcp-Name: " + tool + "\r\n" + more, body);
    }

    private static void assertRefused(RawHttp http, int status, int code) throws IOException {
        JsonView answer = JsonView.of(http.text());
        assertThat(http.status()).as(answer.json()).isEqualTo(status);
        assertThat(Found.errorCode(answer)).isEqualTo(code);
    }

    @Test
    void both_eras_are_spoken_at_one_address_request_by_request() throws Exception {
        String session;
        try (RawHttp http = send("", ServerProcess.initializeWith("2025-11-25"))) {
            session = "Mcp-Session-Id: " + http.header("Mcp-Session-Id") + "\r\n";
        }
        for (int i = 0; i < 2; i++) {
            try (RawHttp http = send(session + headers("tools/list"), LIST)) {
                assertThat(http.header("Mcp-Session-Id")).isEmpty();
                assertThat(http.text()).contains("\"resultType\":\"complete\"");
            }
            try (RawHttp http = send(session, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")) {
                assertThat(http.text()).contains("\"tools\"").doesNotContain("resultType");
            }
        }
        assertThat(server.sessions()).isEqualTo(1);
    }

    @Test
    void an_answer_that_comes_alone_is_a_body_and_one_that_follows_something_is_on_a_stream() throws Exception {
        try (RawHttp http = call("echo", "{\"text\":\"x\"}")) {
            assertThat(http.header("Content-Type")).isEqualTo("application/json");
            assertThat(ServerProcess.text(JsonView.of(http.text()))).isEqualTo("x");
        }
        String body = Stateless.request(
                6,
                "tools/call",
                Stateless.paramsWith(",\"progressToken\":1", Stateless.tool("test_tool_with_progress", "{}")));
        try (RawHttp http = send(headers("tools/call") + "Mcp-Name: test_tool_with_progress\r\n", body)) {
            assertThat(http.header("Content-Type")).isEqualTo("text/event-stream");
            assertThat(http.header("X-Accel-Buffering")).isEqualTo("no");
            String stream = http.text();
            assertThat(stream).doesNotContain("id: ").doesNotContain("retry:");
            assertThat(Events.of(stream)).hasSize(4).last().asString().contains("\"id\":6", "complete");
        }
    }

    @ParameterizedTest
    @CsvSource({"application/json, application/json", "text/event-stream, text/event-stream"})
    void a_client_that_takes_one_kind_of_answer_gets_that(String accepted, String type) throws Exception {
        String headers = headers("tools/list") + "Accept: " + accepted + "\r\n";
        try (RawHttp http = RawHttp.send("POST", server.uri(), headers, LIST)) {
            assertThat(http.status()).isEqualTo(200);
            assertThat(http.header("Content-Type")).isEqualTo(type);
            assertThat(http.text()).contains("\"tools\"");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', -32020",
        "'Mcp-Method: tools/list', -32020",
        "'MCP-Protocol-Version: 2026-07-28', -32020",
        "'MCP-Protocol-Version: 2025-11-25|Mcp-Method: tools/list', -32020",
        "'MCP-Protocol-Version: 2026-07-28|Mcp-Method: TOOLS/LIST', -32020"
    })
    void headers_that_are_missing_or_say_something_else_are_refused(String headers, int code) throws Exception {
        String lines = headers.isEmpty() ? "" : headers.replace("|", "\r\n") + "\r\n";
        try (RawHttp http = send(lines, LIST)) {
            assertRefused(http, 400, code);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "echo, 200",
        "'  echo  ', 200",
        "=?base64?ZWNobw==?=, 200",
        "=?base64?ZWNobw?=, 400",
        "ECHO, 400",
        "add, 400"
    })
    void the_name_of_a_tool_stands_in_a_header(String name, int status) throws Exception {
        String body = Stateless.request(1, "tools/call", Stateless.params(Stateless.tool("echo", "{}")));
        try (RawHttp http = send(headers("tools/call") + "Mcp-Name: " + name + "\r\n", body)) {
            assertThat(http.status()).isEqualTo(status);
        }
    }

    @Test
    void so_does_the_name_of_a_prompt_and_the_address_of_a_resource() throws Exception {
        String prompt = Stateless.request(1, "prompts/get", Stateless.params(",\"name\":\"test_simple_prompt\""));
        try (RawHttp http = send(headers("prompts/get"), prompt)) {
            assertRefused(http, 400, -32020);
        }
        String read = Stateless.request(1, "resources/read", Stateless.params(",\"uri\":\"test://static-text\""));
        try (RawHttp http = send(headers("resources/read") + "Mcp-Name: test://static-text\r\n", read)) {
            assertThat(http.status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"region\":\"eu\"}', 'Mcp-Param-Region: eu', 200",
        "'{\"region\":\"eu\"}', 'mcp-param-REGION: eu', 200",
        "'{\"region\":\"eu\"}', 'Mcp-Param-Region: us', 400",
        "'{\"region\":\"eu\"}', '', 400",
        "'{\"region\":null}', '', 200",
        "'{}', 'Mcp-Param-Region: eu', 400",
        "'{\"region\":\"ü\"}', 'Mcp-Param-Region: =?base64?w7w=?=', 200",
        "'{\"region\":\" a \"}', 'Mcp-Param-Region: =?base64?IGEg?=', 200",
        "'{\"region\":\"a\"}', 'Mcp-Param-Region: =?base64?Y!==?=', 400",
        "'{\"limit\":42}', 'Mcp-Param-Limit: 42.0', 200",
        "'{\"limit\":42}', 'Mcp-Param-Limit: many', 400",
        "'{\"options\":{\"dry\":true}}', 'Mcp-Param-Dry-Run: true', 200",
        "'{\"options\":{\"dry\":true}}', 'Mcp-Param-Dry-Run: false', 400"
    })
    void arguments_may_have_to_stand_in_headers(String arguments, String header, int status) throws Exception {
        try (RawHttp http = call("test_x_mcp_header", arguments, header.isEmpty() ? "" : header + "\r\n")) {
            assertThat(http.status()).isEqualTo(status);
            assertThat(http.text()).contains(status == 200 ? "called with" : "-32020");
        }
    }

    @Test
    void what_cannot_be_answered_has_a_status_of_its_own() throws Exception {
        try (RawHttp http = send(headers("no/such"), Stateless.request(1, "no/such", Stateless.params("")))) {
            assertRefused(http, 404, -32601);
        }
        try (RawHttp http = send(headers("tools/list"), Stateless.request(1, "tools/list", "{}"))) {
            assertRefused(http, 400, -32602);
        }
        String other = "MCP-Protocol-Version: 2031-01-01\r\nMcp-Method: tools/list\r\n";
        String meta = "{" + Stateless.meta("2031-01-01", "{}", "") + "}";
        try (RawHttp http = send(other, Stateless.request(1, "tools/list", meta))) {
            assertRefused(http, 400, -32022);
        }
        String incapable = "{" + Stateless.meta(Stateless.REVISION, "{}", "")
                + Stateless.tool("test_missing_capability", "{}") + "}";
        try (RawHttp http = send(
                headers("tools/call") + "Mcp-Name: test_missing_capability\r\n",
                Stateless.request(1, "tools/call", incapable))) {
            assertRefused(http, 400, -32021);
        }
        try (RawHttp http = call("none", "{}")) {
            assertRefused(http, 200, -32602);
        }
        try (RawHttp http = send(headers("x"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}")) {
            assertThat(http.status()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE"})
    void there_is_nothing_but_post(String method) throws Exception {
        try (RawHttp http = RawHttp.send(method, server.uri(), REVISION + BOTH, "")) {
            assertThat(http.status()).isEqualTo(405);
            assertThat(http.header("Allow")).isEqualTo("POST");
        }
    }

    @Test
    void a_client_that_leaves_is_a_client_that_cancels() throws Exception {
        try (RawHttp http = call("slow", "{\"ms\":60000}")) {
            assertThat(http.header("Content-Type")).isEqualTo("text/event-stream");
        }
        String counted = "0";
        while (counted.equals("0")) {
            try (RawHttp http = call("count", "{\"tool\":\"slow:cancelled\"}")) {
                counted = ServerProcess.text(JsonView.of(http.text()));
            }
        }
        assertThat(counted).isEqualTo("1");
    }

    @Test
    void changes_come_on_the_stream_that_listens_until_the_server_ends_it() throws Exception {
        String listen = Stateless.request(
                9, "subscriptions/listen", Stateless.params(",\"notifications\":{\"toolsListChanged\":true}"));
        try (RawHttp stream = send(headers("subscriptions/listen"), listen)) {
            Lines lines = Lines.of(stream.body());
            assertThat(Events.next(lines).string("method")).isEqualTo("notifications/subscriptions/acknowledged");
            assertThat(lines.next()).isEmpty();
            assertThat(lines.next()).as("a sign of life").isEqualTo(":");
            try (RawHttp http = call("test_trigger_tool_change", "{}")) {
                assertThat(http.text()).contains("added");
            }
            assertThat(Events.next(lines).string("method")).isEqualTo("notifications/tools/list_changed");
            server.close();
            assertThat(Found.at(Events.next(lines), "id")).hasToString("9");
        }
    }

    @Test
    void a_mismatch_of_headers_lasts_until_the_tools_are_listed_again() throws Exception {
        server.close();
        server = FixtureServer.start(ServerScript.faultless().with(FaultKind.HEADER_MISMATCH_ONCE));
        assertThat(listed()).contains("\"x-mcp-header\":\"Region\"");
        for (int i = 0; i < 2; i++) {
            try (RawHttp http = call("echo", "{}")) {
                assertRefused(http, 400, -32020);
            }
        }
        assertThat(listed()).contains("\"x-mcp-header\":\"Zone\"");
        try (RawHttp http = call("echo", "{\"text\":\"x\"}")) {
            assertThat(http.text()).contains("\"x\"");
        }
        try (RawHttp http = call("test_x_mcp_header", "{\"region\":\"eu\"}", "Mcp-Param-Region: eu\r\n")) {
            assertRefused(http, 400, -32020);
        }
        try (RawHttp http = call("test_x_mcp_header", "{\"region\":\"eu\"}", "Mcp-Param-Zone: eu\r\n")) {
            assertThat(http.status()).isEqualTo(200);
        }
    }

    private String listed() throws IOException {
        try (RawHttp http = send(headers("tools/list"), LIST)) {
            return http.text();
        }
    }

    @Test
    void a_server_of_the_stateless_era_alone_says_so() throws Exception {
        server.close();
        server = FixtureServer.start(ServerScript.faultless().withEra(Era.MODERN));
        try (RawHttp http = send("", ServerProcess.initializeWith("2025-11-25"))) {
            String body = http.text();
            assertThat(http.status()).isEqualTo(400);
            assertThat(body).contains("-32020", "2026-07-28");
        }
        try (RawHttp http = RawHttp.send("GET", server.uri(), BOTH, "")) {
            assertThat(http.status()).isEqualTo(405);
        }
    }

    @Test
    void a_server_of_sessions_alone_does_not_know_the_revision() throws Exception {
        server.close();
        server = FixtureServer.start(ServerScript.faultless().withEra(Era.LEGACY));
        try (RawHttp http = send(headers("tools/list"), LIST)) {
            assertRefused(http, 400, -32600);
        }
        try (RawHttp http = send("", ServerProcess.initializeWith("2025-11-25"))) {
            assertThat(http.status()).isEqualTo(200);
        }
    }

    @Test
    void faults_of_calls_happen_here_too() throws Exception {
        try (RawHttp http = call("echo", "{\"text\":\"x\",\"fault\":\"duplicate\"}")) {
            List<String> messages = Events.of(http.text());
            assertThat(messages).hasSize(2).allMatch(message -> message.contains("\"id\":5"));
        }
    }
}
