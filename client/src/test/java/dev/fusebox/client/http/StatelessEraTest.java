package dev.fusebox.client.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ServerScript;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests of the stateless era: their headers and their responses.
@Timeout(120)
class StatelessEraTest {
    private static final String DONE = "{\"resultType\":\"complete\",\"content\":[]}";
    private static final String TOOLS = "{\"resultType\":\"complete\",\"tools\":[%s]}";

    private static String params(String members) {
        return "{" + members + (members.isEmpty() ? "" : ",") + RecordingClient.STATELESS + "}";
    }

    private static String tool(String name, String properties) {
        return "{\"name\":\"" + name + "\",\"inputSchema\":{\"type\":\"object\",\"properties\":{" + properties + "}}}";
    }

    private static String marked(String type, String header) {
        return "{\"type\":\"" + type + "\",\"x-mcp-header\":\"" + header + "\"}";
    }

    private static RawServer listing(String tools) throws IOException {
        return RawServer.answering(request -> RawServer.json(
                200,
                request.rpcMethod().equals("tools/list")
                        ? request.result(TOOLS.formatted(tools))
                        : request.result(DONE)));
    }

    @ParameterizedTest
    @CsvSource({
        "tools/call, '\"name\":\"echo\"', echo",
        "prompts/get, '\"name\":\"caf\u00e9\"', =?base64?Y2Fmw6k=?=",
        "resources/read, '\"uri\":\"file:///a b\"', file:///a b",
        "tools/call, '\"name\":\" padded \"', =?base64?IHBhZGRlZCA=?=",
        "tools/call, '\"name\":\"a\\r\\nAuthorization: Bearer x\"', =?base64?YQ0KQXV0aG9yaXphdGlvbjogQmVhcmVyIHg=?=",
        "tools/call, '\"name\":\"=?base64?literal?=\"', =?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
        "tools/list, '', ''"
    })
    void s11_s12_method_and_name_are_sent_in_encoded_headers(String method, String members, String name)
            throws IOException {
        try (RawServer server = listing("");
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.answer(method, params(members));

            RawServer.Received request = server.received.getFirst();
            assertThat(request.header("mcp-protocol-version")).isEqualTo("2026-07-28");
            assertThat(request.header("mcp-method")).isEqualTo(method);
            assertThat(request.header("mcp-name")).isEqualTo(name);
            assertThat(request.headers()).doesNotContainKeys("mcp-session-id", "authorization");
        }
    }

    @Test
    void s12_arguments_are_sent_in_headers_as_the_schema_requires() throws IOException {
        String properties = "\"region\":" + marked("string", "Region") + ",\"count\":" + marked("integer", "Count")
                + ",\"dry\":" + marked("boolean", "Dry") + ",\"text\":" + marked("string", "Text")
                + ",\"gone\":" + marked("string", "Gone") + ",\"none\":" + marked("string", "None")
                + ",\"deep\":{\"type\":\"object\",\"properties\":{\"x\":" + marked("string", "Deep") + "}}"
                + ",\"plain\":{\"type\":\"string\"}";
        try (RawServer server = listing(tool("run", properties));
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.answer("tools/list", params(""));
            client.answer(
                    "tools/call",
                    params("\"name\":\"run\",\"arguments\":{\"region\":\"us-west1\",\"count\":42.0,\"dry\":false,"
                            + "\"text\":\"line1\\nline2\",\"none\":null,\"deep\":{\"x\":\"y\"},\"plain\":\"p\"}"));

            RawServer.Received call = server.received.getLast();
            assertThat(call.header("mcp-param-region")).isEqualTo("us-west1");
            assertThat(call.header("mcp-param-count")).isEqualTo("42");
            assertThat(call.header("mcp-param-dry")).isEqualTo("false");
            assertThat(call.header("mcp-param-text")).isEqualTo("=?base64?bGluZTEKbGluZTI=?=");
            assertThat(call.header("mcp-param-deep")).isEqualTo("y");
            assertThat(call.headers()).doesNotContainKeys("mcp-param-gone", "mcp-param-none", "mcp-param-plain");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}",
                "\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A B\"}",
                "\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\\r\\nB: c\"}",
                "\"a\":{\"type\":\"string\",\"x-mcp-header\":7}",
                "\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}",
                "\"a\":{\"type\":\"object\",\"x-mcp-header\":\"A\"}",
                "\"a\":{\"x-mcp-header\":\"A\"}",
                "\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}",
                "\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}",
                "\"a\":{\"anyOf\":[{\"type\":\"string\",\"x-mcp-header\":\"A\"}]}",
                "\"a\":{\"$defs\":{\"d\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}"
            })
    void s12_tool_with_invalid_headers_is_removed_and_the_others_stay(String bad) throws IOException {
        try (RawServer server = listing(tool("good", "") + "," + tool("bad", bad) + "," + tool("last", ""));
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("tools/list", params("")))
                    .contains("\"good\"", "\"last\"", "\"resultType\":\"complete\"")
                    .doesNotContain("\"bad\"");
        }
    }

    @Test
    void s12_header_keyword_in_data_or_in_a_name_has_no_effect() throws IOException {
        String properties = "\"x-mcp-header\":{\"type\":\"string\"},"
                + "\"b\":{\"type\":\"object\",\"default\":{\"x-mcp-header\":\"\"},\"enum\":[{\"x-mcp-header\":\"\"}]}";
        try (RawServer server = listing(tool("odd", properties));
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("tools/list", params(""))).contains("\"odd\"");
        }
    }

    @Test
    void tool_list_of_a_session_keeps_every_tool() throws IOException {
        try (RawServer server = listing(tool("bad", "\"a\":{\"x-mcp-header\":\"\"}"));
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("tools/list", "{}")).contains("\"bad\"");
        }
    }

    @Test
    void call_rejected_for_its_headers_is_repeated_with_those_of_a_new_list() throws IOException {
        RawServer.Answers answers = request -> {
            if (request.rpcMethod().equals("tools/list")) {
                boolean first = !request.body().contains("\"cursor\"");
                String page = first
                        ? "{\"tools\":[],\"nextCursor\":\"2\"}"
                        : TOOLS.formatted(tool("run", "\"region\":" + marked("string", "Region")));
                return RawServer.json(200, request.result(page));
            }
            return request.header("mcp-param-region").equals("eu")
                    ? RawServer.json(200, request.result(DONE))
                    : RawServer.json(400, request.error(-32020, "header missing"));
        };
        try (RawServer server = RawServer.answering(answers);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("tools/call", params("\"name\":\"run\",\"arguments\":{\"region\":\"eu\"}")))
                    .contains(DONE);
            assertThat(server.received.stream().map(RawServer.Received::rpcMethod))
                    .containsExactly("tools/call", "tools/list", "tools/list", "tools/call");
            assertThat(server.received.stream().map(RawServer.Received::id)).doesNotHaveDuplicates();
        }
    }

    @Test
    void call_rejected_twice_for_its_headers_is_not_repeated_again() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        RawServer.Answers answers = request -> {
            if (request.rpcMethod().equals("tools/list")) {
                return RawServer.json(200, request.result(TOOLS.formatted("")));
            }
            calls.incrementAndGet();
            return RawServer.json(400, request.error(-32020, "header mismatch"));
        };
        try (RawServer server = RawServer.answering(answers);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("tools/call", params("\"name\":\"run\""))).contains("-32020");
            assertThat(calls).hasValue(2);
        }
    }

    @Test
    void error_without_an_id_answers_the_only_request() throws IOException {
        String error = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32022,\"message\":\"no\","
                + "\"data\":{\"supported\":[\"2027-01-01\"]}}}";
        try (RawServer server = RawServer.answering(request -> RawServer.json(400, error));
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("server/discover", params(""))).contains("-32022", "2027-01-01");
            assertThat(client.failure("initialize", "{}").category()).isEqualTo(FailureCategory.OTHER);
        }
    }

    @Test
    void cancellation_closes_the_stream_and_sends_nothing() throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        RawServer.Script script = wire -> {
            wire.next();
            wire.write(RawServer.EVENTS + RawServer.chunk(": here\n\n"));
            if (wire.awaitClosed()) {
                left.countDown();
            }
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            Deadline deadline = new Deadline(RecordingClient.LONG, RecordingClient.LONG, client.platform.ticker());
            Thread.ofVirtual().start(() -> {
                awaitOne(server);
                deadline.giveUp();
            });
            assertThat(RecordingClient.failed(client.call("tools/call", params("\"name\":\"x\""), deadline))
                            .category())
                    .isEqualTo(FailureCategory.CANCELLED);

            assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(server.received).hasSize(1);
        }
    }

    private static void awaitOne(RawServer server) {
        eventually("a request has arrived", () -> assertThat(server.received).isNotEmpty());
    }

    @Test
    void broken_stream_is_not_resumed() throws IOException {
        RawServer.Answers answers =
                request -> RawServer.EVENTS + RawServer.chunk("id: 1\nretry: 1\ndata:\n\n") + RawServer.LAST_CHUNK;
        try (RawServer server = RawServer.answering(answers);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.failure("tools/call", params("\"name\":\"x\"")).delivery())
                    .isEqualTo(Delivery.UNKNOWN);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void request_on_a_stream_is_dropped() throws IOException {
        RawServer.Answers answers = request -> RawServer.EVENTS
                + RawServer.chunk(RawServer.data("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}"))
                + RawServer.chunk(RawServer.data(request.result(DONE)))
                + RawServer.LAST_CHUNK;
        try (RawServer server = RawServer.answering(answers);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.answersQuestions = true;
            client.answer("tools/call", params("\"name\":\"x\""));

            assertThat(client.received).isEmpty();
            assertThat(client.connection.dropped()).isEqualTo(1);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void subscription_has_the_id_of_the_client() throws Exception {
        RawServer.Answers answers = request -> RawServer.EVENTS
                + RawServer.chunk(RawServer.data(
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":"
                                + "{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":" + request.id() + "}}}"))
                + RawServer.chunk(RawServer.data(request.result("{}")))
                + RawServer.LAST_CHUNK;
        try (RawServer server = RawServer.answering(answers);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.answer("subscriptions/listen", params(""));

            assertThat(client.next()).contains("subscriptionId\":\"mine\"");
        }
    }

    @Test
    void both_eras_work_over_one_connection() throws IOException {
        RawServer.Answers answers = request -> switch (request.rpcMethod()) {
            case "server/discover" -> RawServer.json(404, request.error(-32601, "unknown"));
            case "initialize" ->
                RawServer.json(200, request.result("{\"protocolVersion\":\"2025-06-18\"}"), "Mcp-Session-Id: s");
            default -> RawServer.json(200, request.result(DONE));
        };
        try (RawServer server = RawServer.answering(answers);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("server/discover", params(""))).contains("-32601");
            client.answer("initialize", "{}");
            client.answer("tools/call", "{\"name\":\"x\"}");
            client.answer("tools/call", params("\"name\":\"x\""));

            assertThat(server.received.get(2).header("mcp-session-id")).isEqualTo("s");
            assertThat(server.received.get(2).headers()).doesNotContainKey("mcp-method");
            assertThat(server.received.get(3).headers()).doesNotContainKey("mcp-session-id");
            assertThat(server.received.get(3).header("mcp-method")).isEqualTo("tools/call");
        }
    }

    @Test
    void deadline_covers_a_call_and_its_repetition() throws IOException {
        RawServer.Script script = wire -> {
            for (RawServer.Received request = wire.next(); request != null; request = wire.next()) {
                if (request.rpcMethod().equals("tools/call")) {
                    wire.write(RawServer.json(400, request.error(-32020, "mismatch")));
                }
            }
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            long start = System.nanoTime();
            client.call("tools/call", params("\"name\":\"x\""), Duration.ofSeconds(1));

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
        }
    }

    @Test
    void fixture_server_of_this_era_accepts_all_headers() throws Exception {
        try (FixtureServer server = FixtureServer.start(ServerScript.faultless().withEra(Era.MODERN));
                RecordingClient client = RecordingClient.at(server.uri())) {
            String call = "\"name\":\"test_x_mcp_header\",\"arguments\":{\"region\":\" caf\u00e9 \",\"limit\":7,"
                    + "\"options\":{\"dry\":true},\"query\":\"q\"}";

            assertThat(client.answer("server/discover", params(""))).contains("2026-07-28");
            assertThat(client.answer("tools/call", params(call))).contains("called with");
            assertThat(client.answer("tools/call", params("\"name\":\"echo\",\"arguments\":{\"text\":\"hello\"}")))
                    .contains("hello");
            assertThat(client.answer("resources/read", params("\"uri\":\"test://static-text\"")))
                    .contains("contents");
            assertThat(server.sessions()).isZero();
        }
    }

    @Test
    void byte_order_mark_before_a_body_is_removed() throws IOException {
        try (RawServer server = RawServer.answering(request -> RawServer.json(200, "\uFEFF" + request.result(DONE)));
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertThat(client.answer("tools/call", params("\"name\":\"echo\""))).startsWith("{");
        }
    }
}
