package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Streamable HTTP, byte by byte.
@Tag("process")
@Timeout(60)
class FixtureServerTest {
    private static final String BOTH = "Accept: application/json, text/event-stream\r\n";
    private static final String EVENTS = "Accept: text/event-stream\r\n";
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    private FixtureServer server;

    @BeforeEach
    void start() throws IOException {
        server = FixtureServer.start(ServerScript.faultless());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_session_lasts_from_initialize_to_delete() throws Exception {
        String session = session("2025-11-25");
        assertThat(server.sessions()).isEqualTo(1);
        assertThat(status("POST", session, PING)).isEqualTo(200);
        assertThat(status("POST", session, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"))
                .isEqualTo(202);
        assertThat(status("DELETE", session, "")).isEqualTo(200);
        assertThat(status("POST", session, PING)).isEqualTo(404);
        assertThat(server.sessions()).isZero();
    }

    @Test
    void requests_that_are_not_right_are_refused() throws Exception {
        String session = session("2025-11-25");
        assertThat(status("POST", "", PING)).isEqualTo(400);
        assertThat(status("POST", "Mcp-Session-Id: nobody\r\n", PING)).isEqualTo(404);
        assertThat(status("POST", session, "{broken")).isEqualTo(400);
        assertThat(status("POST", session + "MCP-Protocol-Version: 1999-01-01\r\n", PING))
                .isEqualTo(400);
        assertThat(status("PUT", session, PING)).isEqualTo(405);
        try (RawHttp get = RawHttp.send("GET", server.uri(), session, "")) {
            assertThat(get.status()).isEqualTo(406);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Host: evil.example, 403",
        "Host: localhost.evil.example, 403",
        "Host: localhost:1234, 200",
        "Host: [::1]:80, 200",
        "Origin: http://evil.example, 403",
        "Origin: null, 403",
        "Origin: http://localhost:3000, 200"
    })
    void pages_from_elsewhere_are_not_let_in(String header, int status) throws Exception {
        assertThat(status("POST", header + "\r\n", ServerProcess.initializeWith("2025-11-25")))
                .isEqualTo(status);
    }

    @Test
    void a_client_that_takes_no_stream_gets_the_answer_alone() throws Exception {
        String session = session("2025-03-26");
        String call = call(5, "test_tool_with_logging", "{}");
        try (RawHttp http = RawHttp.send("POST", server.uri(), session + "Accept: application/json\r\n", call)) {
            assertThat(http.header("Content-Type")).isEqualTo("application/json");
            assertThat(Found.at(JsonView.of(http.text()), "id")).hasToString("5");
        }
    }

    @Test
    void what_belongs_to_a_call_comes_on_its_stream() throws Exception {
        String session = session("2025-06-18");
        try (RawHttp http = post(session, call(5, "test_tool_with_logging", "{}"))) {
            assertThat(http.header("Content-Type")).isEqualTo("text/event-stream");
            List<String> data = Events.of(http.text());
            assertThat(data).hasSize(4);
            assertThat(data.subList(0, 3)).allMatch(message -> message.contains("notifications/message"));
            assertThat(Found.at(JsonView.of(data.get(3)), "id")).hasToString("5");
        }
    }

    @Test
    void the_client_is_asked_on_the_stream_of_the_call() throws Exception {
        String session = session("2025-06-18");
        try (RawHttp http = post(session, call(5, "ask", "{}"))) {
            Lines lines = Lines.of(http.body());
            JsonView question = Events.next(lines);
            assertThat(question.string("method")).isEqualTo("elicitation/create");
            String answer =
                    "{\"jsonrpc\":\"2.0\",\"id\":" + Found.at(question, "id") + ",\"result\":{\"action\":\"decline\"}}";
            assertThat(status("POST", session, answer)).isEqualTo(202);
            assertThat(ServerProcess.text(Events.next(lines))).contains("action=decline");
        }
    }

    @Test
    void what_belongs_to_no_call_comes_on_the_stream_of_its_own() throws Exception {
        String session = session("2025-11-25");
        try (RawHttp get = RawHttp.send("GET", server.uri(), session + EVENTS, "")) {
            assertThat(get.status()).isEqualTo(200);
            Lines lines = Lines.of(get.body());
            try (RawHttp http = post(session, call(5, "test_trigger_tool_change", "{}"))) {
                assertThat(Events.of(http.text())).singleElement().asString().contains("\"id\":5");
            }
            assertThat(Events.next(lines).string("method")).isEqualTo("notifications/tools/list_changed");
        }
    }

    @Test
    void a_dropped_stream_is_taken_up_where_it_ended() throws Exception {
        String session = session("2025-11-25");
        String lastId;
        try (RawHttp http = post(session, call(5, "test_reconnection", "{}"))) {
            String text = http.text();
            assertThat(text).contains("retry: 50").doesNotContain("result");
            lastId = text.lines()
                    .filter(line -> line.startsWith("id: "))
                    .findFirst()
                    .orElseThrow();
        }
        String resume = session + EVENTS + "Last-Event-ID: " + lastId.substring(4) + "\r\n";
        for (int again = 0; again < 2; again++) {
            try (RawHttp get = RawHttp.send("GET", server.uri(), resume, "")) {
                assertThat(Events.of(get.text())).singleElement().asString().contains("\"id\":5", "\"result\"");
            }
        }
    }

    @Test
    void a_client_that_leaves_is_not_a_client_that_cancels() throws Exception {
        String session = session("2025-11-25");
        String firstId;
        try (RawHttp http = post(session, call(5, "slow", "{\"ms\":300}"))) {
            firstId = Lines.of(http.body()).next();
            assertThat(firstId).startsWith("id: ");
        }
        String resume = session + EVENTS + "Last-Event-ID: " + firstId.substring(4) + "\r\n";
        try (RawHttp get = RawHttp.send("GET", server.uri(), resume, "")) {
            assertThat(Events.of(get.text())).singleElement().asString().contains("waited 300 ms");
        }
    }

    @Test
    void older_revisions_get_no_event_without_a_message() throws Exception {
        String session = session("2025-06-18");
        try (RawHttp http = post(session, PING)) {
            assertThat(http.text()).startsWith("id: ").doesNotContain("retry:");
        }
    }

    @Test
    void faults_of_calls_happen_here_too() throws Exception {
        String session = session("2025-11-25");
        try (RawHttp http = post(session, call(5, "echo", "{\"text\":\"x\",\"fault\":\"duplicate\"}"))) {
            assertThat(Events.of(http.text()))
                    .hasSize(2)
                    .filteredOn(data -> data.contains("\"id\":5"))
                    .hasSize(2);
        }
    }

    @Test
    void as_a_process_of_its_own_it_tells_its_address() throws Exception {
        Process process = new ProcessBuilder(ScriptedServer.http(ServerScript.faultless(), 0)).start();
        try {
            String line = Lines.of(process.getInputStream()).next();
            assertThat(line).startsWith("listening on http://127.0.0.1:");
            URI uri = URI.create(line.substring("listening on ".length()));
            try (RawHttp http = RawHttp.send("POST", uri, BOTH, ServerProcess.initializeWith("2025-11-25"))) {
                assertThat(http.header("Mcp-Session-Id")).matches("[0-9a-f]{32}");
            }
        } finally {
            process.destroy();
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /// The header of a new session.
    private String session(String revision) throws IOException {
        try (RawHttp http = RawHttp.send("POST", server.uri(), BOTH, ServerProcess.initializeWith(revision))) {
            assertThat(http.status()).isEqualTo(200);
            assertThat(http.text()).contains(revision);
            return "Mcp-Session-Id: " + http.header("Mcp-Session-Id") + "\r\n";
        }
    }

    private RawHttp post(String session, String body) throws IOException {
        return RawHttp.send("POST", server.uri(), session + BOTH, body);
    }

    private int status(String method, String headers, String body) throws IOException {
        try (RawHttp http = RawHttp.send(method, server.uri(), headers + BOTH, body)) {
            return http.status();
        }
    }

    private static String call(int id, String tool, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + "}}";
    }
}
