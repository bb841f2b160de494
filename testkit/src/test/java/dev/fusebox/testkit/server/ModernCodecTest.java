package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The stateless era, message by message.
@Timeout(60)
class ModernCodecTest {
    private static final String SERVER = "io.modelcontextprotocol/serverInfo";

    @Test
    void what_the_server_can_do_is_told_to_whoever_asks() throws Exception {
        try (Talk talk = Talk.stateless()) {
            JsonView result = talk.result(1, "server/discover", Stateless.params(""));
            assertThat(Found.at(result, "supportedVersions")).hasToString("[\"2026-07-28\"]");
            assertThat(Found.at(result, "capabilities").json()).contains("tools", "resources", "prompts");
            assertThat(Found.textAt(result, "resultType")).isEqualTo("complete");
            assertThat(Found.textAt(result, "_meta", SERVER, "name")).isEqualTo("fusebox-fixture");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"_meta\":{}}",
                "{\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":{}}}",
                "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}",
                "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                        + "\"io.modelcontextprotocol/clientCapabilities\":[]}}"
            })
    void a_request_that_does_not_say_who_asks_is_refused(String params) throws Exception {
        try (Talk talk = Talk.stateless()) {
            assertThat(Found.errorCode(talk.ask(1, "server/discover", params))).isEqualTo(-32602);
        }
    }

    @Test
    void a_client_need_not_have_a_name() throws Exception {
        try (Talk talk = Talk.stateless()) {
            String params = Stateless.params("").replaceFirst("\"io.modelcontextprotocol/clientInfo\":\\{[^}]*},", "");
            assertThat(params).doesNotContain("clientInfo");
            assertThat(talk.result(1, "tools/list", params).member("tools")).isNotNull();
        }
    }

    @Test
    void an_unknown_revision_is_refused_with_those_that_are_known() throws Exception {
        try (Talk talk = new Talk(ServerScript.faultless())) {
            String params = "{" + Stateless.meta("2031-01-01", "{}", "") + "}";
            JsonView answer = talk.ask(1, "tools/list", params);
            assertThat(Found.errorCode(answer)).isEqualTo(-32022);
            assertThat(Found.textAt(answer, "error", "data", "requested")).isEqualTo("2031-01-01");
            assertThat(Found.at(answer, "error", "data", "supported"))
                    .hasToString("[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\",\"2024-11-05\"]");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "initialize",
                "ping",
                "logging/setLevel",
                "resources/subscribe",
                "resources/unsubscribe",
                "no/such"
            })
    void methods_of_the_other_era_are_unknown(String method) throws Exception {
        try (Talk talk = Talk.stateless()) {
            assertThat(Found.errorCode(talk.ask(1, method, Stateless.params(""))))
                    .isEqualTo(-32601);
        }
    }

    @Test
    void what_is_wrong_gets_the_code_for_it() throws Exception {
        try (Talk talk = Talk.stateless()) {
            JsonView none = talk.ask(1, "resources/read", Stateless.params(",\"uri\":\"test://none\""));
            assertThat(Found.errorCode(none)).isEqualTo(-32602);
            assertThat(Found.textAt(none, "error", "data", "uri")).isEqualTo("test://none");
            assertThat(Found.errorCode(talk.ask(2, "tools/call", Stateless.params(Stateless.tool("none", "{}")))))
                    .isEqualTo(-32602);
            assertThat(Found.errorCode(talk.ask(3, "prompts/get", Stateless.params(",\"name\":\"none\""))))
                    .isEqualTo(-32602);
            assertThat(Found.errorCode(talk.ask(4, "tools/list", Stateless.paramsWith(Stateless.logLevel("loud"), ""))))
                    .isEqualTo(-32602);
            assertThat(Found.errorCode(talk.ask(5, "subscriptions/listen", Stateless.params(""))))
                    .isEqualTo(-32602);
            talk.say("[]");
            assertThat(Found.errorCode(talk.hear())).isEqualTo(-32600);
            talk.say("{broken");
            assertThat(Found.errorCode(talk.hear())).isEqualTo(-32700);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "server/discover, '', public",
        "tools/list, '', public",
        "prompts/list, '', public",
        "resources/list, '', public",
        "resources/templates/list, '', public",
        "resources/read, ',\"uri\":\"test://static-text\"', private"
    })
    void what_may_be_kept_says_for_how_long_and_for_whom(String method, String members, String scope) throws Exception {
        try (Talk talk = Talk.stateless()) {
            JsonView result = talk.result(1, method, Stateless.params(members));
            assertThat(Long.parseLong(Found.at(result, "ttlMs").json())).isPositive();
            assertThat(Found.textAt(result, "cacheScope")).isEqualTo(scope);
            assertThat(Found.textAt(result, "resultType")).isEqualTo("complete");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "tools/call, ',\"name\":\"echo\",\"arguments\":{\"text\":\"x\"}'",
        "prompts/get, ',\"name\":\"test_simple_prompt\"'",
        "completion/complete, ',\"argument\":{\"name\":\"a\",\"value\":\"par\"}'"
    })
    void what_may_not_be_kept_says_nothing_of_that(String method, String members) throws Exception {
        try (Talk talk = Talk.stateless()) {
            JsonView result = talk.result(1, method, Stateless.params(members));
            assertThat(Found.textAt(result, "resultType")).isEqualTo("complete");
            assertThat(Found.textAt(result, "_meta", SERVER, "version")).isEqualTo("1");
            assertThat(result.member("ttlMs")).isNull();
            assertThat(result.member("cacheScope")).isNull();
        }
    }

    @Test
    void log_messages_come_from_the_level_the_request_names_and_never_without_one() throws Exception {
        try (Talk talk = Talk.stateless()) {
            String tool = Stateless.tool("test_tool_with_logging", "{}");
            talk.request(1, "tools/call", Stateless.paramsWith(Stateless.logLevel("info"), tool));
            for (int i = 0; i < 3; i++) {
                assertThat(talk.hear().string("method")).isEqualTo("notifications/message");
            }
            assertThat(talk.textOf(1)).isNotEmpty();
            talk.result(2, "tools/call", Stateless.paramsWith(Stateless.logLevel("warning"), tool));
            talk.result(3, "tools/call", Stateless.params(tool));
        }
    }

    @Test
    void progress_comes_to_those_who_gave_a_token() throws Exception {
        try (Talk talk = Talk.stateless()) {
            String tool = Stateless.tool("test_tool_with_progress", "{}");
            talk.request(1, "tools/call", Stateless.paramsWith(",\"progressToken\":7", tool));
            for (String progress : List.of("0", "50", "100")) {
                JsonView params = Found.at(talk.hear(), "params");
                assertThat(params.member("progressToken")).hasToString("7");
                assertThat(params.member("progress")).hasToString(progress);
            }
            assertThat(talk.textOf(1)).isNotEmpty();
            talk.result(2, "tools/call", Stateless.params(tool));
        }
    }

    @Test
    void a_cancelled_call_gets_no_answer_and_the_others_run_side_by_side() throws Exception {
        try (Talk talk = Talk.stateless()) {
            talk.request(1, "tools/call", Stateless.params(Stateless.tool("slow", "{\"ms\":60000}")));
            talk.request(3, "tools/call", Stateless.params(Stateless.tool("slow", "{\"ms\":1}")));
            assertThat(talk.hear().member("id")).hasToString("3");
            talk.request(2, "tools/call", Stateless.params(Stateless.tool("slow", "{\"ms\":800}")));
            talk.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
            assertThat(talk.hear().member("id")).hasToString("2");
            talk.result(4, "tools/list", Stateless.params(""));
        }
    }

    @Test
    void results_may_be_of_a_kind_that_nobody_knows_or_of_none() throws Exception {
        try (Talk talk = Talk.stateless()) {
            String unknown = Stateless.tool("echo", "{\"fault\":\"unknown-result-type\"}");
            assertThat(Found.textAt(talk.result(1, "tools/call", Stateless.params(unknown)), "resultType"))
                    .isEqualTo("surprise");
            String missing = Stateless.tool("echo", "{\"fault\":\"missing-result-type\"}");
            JsonView result = talk.result(2, "tools/call", Stateless.params(missing));
            assertThat(result.member("resultType")).isNull();
            assertThat(result.member("content")).isNotNull();
        }
    }

    @Test
    void a_server_may_ask_where_it_must_not_and_does_not_wait_for_an_answer() throws Exception {
        try (Talk talk = Talk.stateless()) {
            String asking = Stateless.tool("echo", "{\"text\":\"x\",\"fault\":\"client-request=roots/list\"}");
            talk.request(1, "tools/call", Stateless.params(asking));
            JsonView question = talk.hear();
            assertThat(question.string("method")).isEqualTo("roots/list");
            assertThat(question.member("id")).isNotNull();
            assertThat(talk.textOf(1)).isEqualTo("x");
            talk.say("{\"jsonrpc\":\"2.0\",\"id\":" + Found.at(question, "id") + ",\"result\":{\"roots\":[]}}");
            talk.result(2, "tools/list", Stateless.params(""));
        }
    }

    @Test
    void a_fault_may_make_a_look_around_hang() throws Exception {
        try (Talk talk = Talk.stateless(ScriptedFault.of(FaultKind.HANG_ON_DISCOVER))) {
            talk.request(1, "server/discover", Stateless.params(""));
            talk.result(2, "tools/list", Stateless.params(""));
        }
    }
}
