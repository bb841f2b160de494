package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The era of sessions, message by message.
@Timeout(60)
class LegacyCodecTest {
    @ParameterizedTest
    @CsvSource({
        "2024-11-05, 2024-11-05",
        "2025-03-26, 2025-03-26",
        "2025-06-18, 2025-06-18",
        "2025-11-25, 2025-11-25",
        "2031-01-01, 2025-11-25"
    })
    void the_revision_asked_for_is_agreed_on_if_it_is_known(String asked, String told) throws Exception {
        try (Talk talk = new Talk(ServerScript.faultless())) {
            talk.say(ServerProcess.initializeWith(asked));
            JsonView result = Found.at(talk.hear(), "result");
            assertThat(result.string("protocolVersion")).isEqualTo(told);
            assertThat(Found.at(result, "capabilities").json()).contains("tools", "resources", "prompts");
            assertThat(Found.textAt(result, "serverInfo", "name")).isEqualTo("fusebox-fixture");
        }
    }

    @Test
    void before_initialize_only_ping_is_answered() throws Exception {
        try (Talk talk = new Talk(ServerScript.faultless())) {
            assertThat(Found.errorCode(talk.ask(1, "tools/list", "{}"))).isEqualTo(-32600);
            assertThat(talk.result(2, "ping", "{}")).hasToString("{}");
        }
    }

    @Test
    void what_is_wrong_gets_the_code_for_it() throws Exception {
        try (Talk talk = Talk.in("2025-06-18")) {
            assertThat(Found.errorCode(talk.ask(1, "no/such", "{}"))).isEqualTo(-32601);
            assertThat(Found.errorCode(talk.ask(2, "tools/call", "{\"name\":\"no such\"}")))
                    .isEqualTo(-32602);
            assertThat(Found.errorCode(talk.ask(3, "resources/read", "{\"uri\":\"test://none\"}")))
                    .isEqualTo(-32002);
            assertThat(Found.errorCode(talk.ask(4, "prompts/get", "{\"name\":\"none\"}")))
                    .isEqualTo(-32602);
            assertThat(Found.errorCode(talk.ask(5, "logging/setLevel", "{\"level\":\"loud\"}")))
                    .isEqualTo(-32602);
            talk.say("{broken");
            assertThat(Found.errorCode(talk.hear())).isEqualTo(-32700);
        }
    }

    @Test
    void every_entry_of_every_list_comes_on_exactly_one_page() throws Exception {
        try (Talk talk = new Talk(ServerScript.faultless().withPageSize(2))) {
            talk.say(ServerProcess.initializeWith("2025-11-25"));
            talk.hear();
            assertThat(names(talk, "tools/list", "tools"))
                    .contains("echo", "test_simple_text")
                    .hasSize(39);
            assertThat(names(talk, "prompts/list", "prompts")).hasSize(5);
            assertThat(names(talk, "resources/list", "resources")).hasSize(4);
            assertThat(names(talk, "resources/templates/list", "resourceTemplates"))
                    .hasSize(1);
            assertThat(Found.errorCode(talk.ask(99, "tools/list", "{\"cursor\":\"no such\"}")))
                    .isEqualTo(-32602);
        }
    }

    private static List<String> names(Talk talk, String method, String name) throws InterruptedException {
        var names = new ArrayList<String>();
        String params = "{}";
        for (int id = 1; !params.isEmpty(); id++) {
            JsonView page = talk.result(id, method, params);
            List<JsonView> entries = Found.at(page, name).elements();
            assertThat(entries).hasSizeBetween(1, 2);
            entries.forEach(entry -> names.add(String.valueOf(entry.string("name"))));
            String next = page.string("nextCursor");
            params = next == null ? "" : "{\"cursor\":\"" + next + "\"}";
        }
        assertThat(names).doesNotHaveDuplicates();
        return names;
    }

    @Test
    void resources_are_read_by_address_and_by_template() throws Exception {
        try (Talk talk = Talk.in("2025-11-25")) {
            assertThat(contents(talk, 1, "test://static-text").string("text")).startsWith("This is the content");
            assertThat(contents(talk, 2, "test://static-binary").string("blob")).isEqualTo(ToolContent.PNG);
            assertThat(contents(talk, 3, "test://template/42/data").string("text"))
                    .contains("\"id\":\"42\"");
        }
    }

    private static JsonView contents(Talk talk, int id, String uri) throws InterruptedException {
        JsonView contents = Found.at(talk.result(id, "resources/read", "{\"uri\":\"" + uri + "\"}"), "contents");
        assertThat(contents.elements()).hasSize(1);
        assertThat(contents.elements().getFirst().string("uri")).isEqualTo(uri);
        return contents.elements().getFirst();
    }

    @Test
    void prompts_are_rendered_and_completed() throws Exception {
        try (Talk talk = Talk.in("2025-11-25")) {
            String params = "{\"name\":\"test_prompt_with_arguments\",\"arguments\":{\"arg1\":\"a\",\"arg2\":\"b\"}}";
            assertThat(talk.result(1, "prompts/get", params).json()).contains("arg1='a', arg2='b'");
            assertThat(Found.errorCode(talk.ask(2, "prompts/get", "{\"name\":\"test_prompt_with_arguments\"}")))
                    .isEqualTo(-32602);
            String completion = "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"test_prompt_with_arguments\"},"
                    + "\"argument\":{\"name\":\"arg1\",\"value\":\"par\"}}";
            assertThat(Found.at(talk.result(3, "completion/complete", completion), "completion", "values"))
                    .hasToString("[\"park\",\"party\"]");
        }
    }

    @Test
    void log_messages_come_from_the_level_set() throws Exception {
        try (Talk talk = Talk.in("2025-11-25")) {
            talk.call(1, "test_tool_with_logging", "{}");
            for (int i = 0; i < 3; i++) {
                assertThat(talk.hear().string("method")).isEqualTo("notifications/message");
            }
            assertThat(talk.textOf(1)).isNotEmpty();
            talk.result(2, "logging/setLevel", "{\"level\":\"warning\"}");
            talk.call(3, "test_tool_with_logging", "{}");
            assertThat(talk.hear().member("id")).hasToString("3");
        }
    }

    @Test
    void progress_comes_to_those_who_gave_a_token() throws Exception {
        try (Talk talk = Talk.in("2025-11-25")) {
            talk.request(
                    1, "tools/call", "{\"name\":\"test_tool_with_progress\",\"_meta\":{\"progressToken\":\"mine\"}}");
            for (String progress : List.of("0", "50", "100")) {
                JsonView params = Found.at(talk.hear(), "params");
                assertThat(params.string("progressToken")).isEqualTo("mine");
                assertThat(params.member("progress")).hasToString(progress);
            }
            assertThat(talk.textOf(1)).isNotEmpty();
            talk.call(2, "test_tool_with_progress", "{}");
            assertThat(talk.hear().member("id")).hasToString("2");
        }
    }

    @Test
    void a_cancelled_call_gets_no_answer_and_the_others_run_side_by_side() throws Exception {
        try (Talk talk = Talk.in("2025-11-25")) {
            talk.call(1, "slow", "{\"ms\":60000}");
            talk.call(3, "slow", "{\"ms\":1}");
            assertThat(talk.hear().member("id")).hasToString("3");
            talk.call(2, "slow", "{\"ms\":800}");
            talk.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
            assertThat(talk.hear().member("id")).hasToString("2");
            assertThat(talk.result(4, "ping", "{}")).hasToString("{}");
        }
    }

    @Test
    void subscribers_hear_of_a_change_and_others_do_not() throws Exception {
        try (Talk talk = Talk.in("2025-11-25")) {
            talk.call(1, "touch", "{}");
            assertThat(talk.hear().member("id")).hasToString("1");
            talk.result(2, "resources/subscribe", "{\"uri\":\"test://watched-resource\"}");
            talk.call(3, "touch", "{}");
            JsonView notification = talk.hear();
            assertThat(notification.string("method")).isEqualTo("notifications/resources/updated");
            assertThat(Found.textAt(notification, "params", "uri")).isEqualTo("test://watched-resource");
            assertThat(talk.textOf(3)).isNotEmpty();
            talk.result(4, "resources/unsubscribe", "{\"uri\":\"test://watched-resource\"}");
            talk.call(5, "touch", "{}");
            assertThat(talk.hear().member("id")).hasToString("5");
        }
    }

    @Test
    void a_change_of_tools_is_told_and_seen() throws Exception {
        try (Talk talk = Talk.in("2025-11-25")) {
            talk.call(1, "test_trigger_tool_change", "{}");
            assertThat(talk.hear().string("method")).isEqualTo("notifications/tools/list_changed");
            assertThat(talk.textOf(1)).isEqualTo("added tool-of-change");
            assertThat(talk.result(2, "tools/list", "{}").json()).contains("tool-of-change");
            talk.call(3, "test_trigger_tool_change", "{}");
            assertThat(talk.textOf(3)).isEqualTo("removed tool-of-change");
            assertThat(talk.result(4, "tools/list", "{}").json()).doesNotContain("\"tool-of-change\"");
        }
    }

    @Test
    void the_client_is_asked_and_its_answer_comes_back() throws Exception {
        try (Talk talk = Talk.in("2025-11-25")) {
            talk.call(1, "ask", "{\"message\":\"Which?\"}");
            JsonView question = talk.askedAndAnswered("{\"action\":\"accept\",\"content\":{\"answer\":\"that\"}}");
            assertThat(question.string("method")).isEqualTo("elicitation/create");
            assertThat(Found.textAt(question, "params", "message")).isEqualTo("Which?");
            assertThat(talk.textOf(1)).isEqualTo("Elicitation completed: action=accept, content={\"answer\":\"that\"}");
            talk.call(2, "test_sampling", "{\"prompt\":\"Why?\"}");
            assertThat(talk.askedAndAnswered(
                                    "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"So.\"}}")
                            .json())
                    .contains("sampling/createMessage", "Why?");
            assertThat(talk.textOf(2)).isEqualTo("LLM response: So.");
            talk.call(3, "roots", "{}");
            assertThat(talk.askedAndAnswered("{\"roots\":[]}").string("method")).isEqualTo("roots/list");
            assertThat(talk.textOf(3)).isEqualTo("{\"roots\":[]}");
        }
    }

    @Test
    void a_client_that_cannot_do_it_is_not_asked() throws Exception {
        try (Talk talk = new Talk(ServerScript.faultless())) {
            talk.say(ServerProcess.initializeWith("2025-11-25").replace("\"elicitation\":{},", ""));
            talk.hear();
            talk.call(1, "ask", "{}");
            JsonView answer = talk.hear();
            assertThat(Found.at(answer, "result", "isError").isTrue()).isTrue();
            assertThat(ServerProcess.text(answer)).isEqualTo("the client offers no elicitation");
        }
    }

    @Test
    void a_batch_is_answered_in_one_in_the_revision_that_has_them() throws Exception {
        String batch = "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
                + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"},"
                + "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\","
                + "\"arguments\":{\"text\":\"x\"}}}]";
        try (Talk talk = Talk.in("2025-03-26")) {
            talk.say(batch);
            assertThat(talk.hear().elements())
                    .extracting(answer -> Found.at(answer, "id").json())
                    .containsExactlyInAnyOrder("1", "2");
        }
        try (Talk talk = Talk.in("2025-06-18")) {
            talk.say(batch);
            assertThat(Found.errorCode(talk.hear())).isEqualTo(-32600);
        }
    }

    @Test
    void tools_answer_with_what_they_are_for() throws Exception {
        try (Talk talk = Talk.in("2025-11-25")) {
            talk.call(1, "big", "{\"bytes\":100000}");
            assertThat(talk.textOf(1)).hasSize(100_000);
            talk.call(2, "fail", "{\"text\":\"so sad\"}");
            JsonView failed = talk.hear();
            assertThat(Found.at(failed, "result", "isError").isTrue()).isTrue();
            assertThat(ServerProcess.text(failed)).isEqualTo("so sad");
            talk.call(3, "add", "{\"a\":2,\"b\":-5}");
            assertThat(Found.at(talk.hear(), "result", "structuredContent")).hasToString("{\"sum\":-3}");
            talk.call(4, "env", "{\"name\":\"surely not set\"}");
            assertThat(talk.textOf(4)).isEqualTo("(not set)");
            talk.call(5, "count", "{\"tool\":\"big\"}");
            assertThat(talk.textOf(5)).isEqualTo("1");
        }
    }

    @Test
    void a_borrowed_process_is_not_harmed() throws Exception {
        try (Talk talk = Talk.in("2025-11-25")) {
            int id = 1;
            for (String fault : List.of("crash-before", "fork", "stderr-flood", "close-stdout", "stop-reading")) {
                talk.call(id, "echo", "{\"fault\":\"" + fault + "\"}");
                JsonView answer = talk.hear();
                assertThat(Found.at(answer, "result", "isError").isTrue()).isTrue();
                assertThat(ServerProcess.text(answer)).contains("ScriptedServer");
                id++;
            }
            talk.call(id, "echo", "{\"fault\":\"nonsense\"}");
            assertThat(Found.errorCode(talk.hear())).isEqualTo(-32603);
        }
    }
}
