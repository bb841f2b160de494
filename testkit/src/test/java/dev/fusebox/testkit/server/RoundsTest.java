package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tools and prompts that ask their client: by questions in the era of sessions, by being called again in the other.
@Tag("process")
@Timeout(60)
class RoundsTest {
    private static final String NAME = "{\"action\":\"accept\",\"content\":{\"name\":\"Alice\"}}";
    private static final String SAID =
            "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"Hi.\"},\"model\":\"m\"}";
    private static final String ROOTS = "{\"roots\":[{\"uri\":\"file:///r\"}]}";

    private static String tool(String name, String more) {
        return Stateless.tool("test_input_required_result_" + name, "{}") + more;
    }

    private static String responses(String members) {
        return ",\"inputResponses\":{" + members + "}";
    }

    private static String state(JsonView result) {
        return ",\"requestState\":\"" + Found.textAt(result, "requestState") + "\"";
    }

    @ParameterizedTest
    @CsvSource({
        "elicitation, user_name, elicitation/create",
        "sampling, capital_question, sampling/createMessage",
        "list_roots, client_roots, roots/list"
    })
    void a_question_comes_back_in_place_of_a_result_and_its_answer_with_the_next_request(
            String name, String key, String method) throws Exception {
        try (Talk talk = Talk.stateless()) {
            JsonView first = talk.result(1, "tools/call", Stateless.params(tool(name, "")));
            assertThat(Found.textAt(first, "resultType")).isEqualTo("input_required");
            assertThat(Found.textAt(first, "inputRequests", key, "method")).isEqualTo(method);
            assertThat(first.member("requestState")).isNull();
            assertThat(first.member("ttlMs")).isNull();
            String answer = method.equals("roots/list") ? ROOTS : NAME;
            String again = tool(name, responses("\"other\":{},\"" + key + "\":" + answer));
            JsonView second = talk.result(2, "tools/call", Stateless.params(again));
            assertThat(Found.textAt(second, "resultType")).isEqualTo("complete");
            assertThat(Found.at(second, "content").json())
                    .contains(method.equals("roots/list") ? "file:///r" : "Alice");
        }
    }

    @Test
    void a_prompt_asks_too() throws Exception {
        try (Talk talk = Talk.stateless()) {
            String prompt = ",\"name\":\"test_input_required_result_prompt\"";
            JsonView first = talk.result(1, "prompts/get", Stateless.params(prompt));
            assertThat(Found.textAt(first, "resultType")).isEqualTo("input_required");
            String again =
                    prompt + responses("\"user_context\":{\"action\":\"accept\",\"content\":{\"context\":\"c\"}}");
            assertThat(Found.at(talk.result(2, "prompts/get", Stateless.params(again)), "messages")
                            .json())
                    .contains("context");
        }
    }

    @Test
    void a_resource_asks_too_and_says_only_at_the_end_how_long_it_may_be_kept() throws Exception {
        try (Talk talk = Talk.stateless()) {
            String resource = ",\"uri\":\"test://asking-resource\"";
            JsonView first = talk.result(1, "resources/read", Stateless.params(resource));
            assertThat(Found.textAt(first, "resultType")).isEqualTo("input_required");
            assertThat(first.member("ttlMs")).isNull();
            String again = resource + state(first) + responses("\"confirm\":" + NAME);
            JsonView second = talk.result(2, "resources/read", Stateless.params(again));
            assertThat(Found.at(second, "contents").json()).contains("Alice");
            assertThat(second.member("ttlMs")).isNotNull();
        }
    }

    @Test
    void what_is_still_missing_is_asked_for_again() throws Exception {
        try (Talk talk = Talk.stateless()) {
            JsonView first = talk.result(1, "tools/call", Stateless.params(tool("multiple_inputs", "")));
            assertThat(Found.at(first, "inputRequests").json()).contains("user_name", "greeting", "client_roots");
            String two = state(first) + responses("\"user_name\":" + NAME + ",\"greeting\":" + SAID);
            JsonView second = talk.result(2, "tools/call", Stateless.params(tool("multiple_inputs", two)));
            assertThat(Found.at(second, "inputRequests"))
                    .hasToString("{\"client_roots\":{\"method\":\"roots/list\",\"params\":{}}}");
            String last = state(second) + responses("\"client_roots\":" + ROOTS);
            JsonView third = talk.result(3, "tools/call", Stateless.params(tool("multiple_inputs", last)));
            assertThat(Found.at(third, "content").json()).contains("Alice", "Hi.", "file:///r");
        }
    }

    @Test
    void the_state_carries_the_answers_of_earlier_rounds() throws Exception {
        try (Talk talk = Talk.stateless()) {
            JsonView first = talk.result(1, "tools/call", Stateless.params(tool("multi_round", "")));
            String one = state(first) + responses("\"step1\":" + NAME);
            JsonView second = talk.result(2, "tools/call", Stateless.params(tool("multi_round", one)));
            assertThat(Found.at(second, "inputRequests").json())
                    .contains("step2")
                    .doesNotContain("step1");
            assertThat(state(second)).isNotEqualTo(state(first));
            String two =
                    state(second) + responses("\"step2\":{\"action\":\"accept\",\"content\":{\"color\":\"blue\"}}");
            JsonView third = talk.result(3, "tools/call", Stateless.params(tool("multi_round", two)));
            assertThat(Found.at(third, "content").json()).contains("Alice", "blue");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-TAMPERED", "."})
    void a_state_that_was_touched_is_refused(String touch) throws Exception {
        try (Talk talk = Talk.stateless()) {
            JsonView first = talk.result(1, "tools/call", Stateless.params(tool("tampered_state", "")));
            String touched = ",\"requestState\":\"" + Found.textAt(first, "requestState") + touch + "\""
                    + responses("\"confirm\":{\"action\":\"accept\"}");
            assertThat(Found.errorCode(talk.ask(2, "tools/call", Stateless.params(tool("tampered_state", touched)))))
                    .isEqualTo(-32602);
        }
    }

    @Test
    void a_state_of_another_tool_is_refused_and_one_of_another_process_is_not() throws Exception {
        try (Talk talk = Talk.stateless();
                Talk other = Talk.stateless()) {
            JsonView first = talk.result(1, "tools/call", Stateless.params(tool("request_state", "")));
            String again = state(first) + responses("\"confirm\":{\"action\":\"accept\"}");
            assertThat(Found.errorCode(talk.ask(2, "tools/call", Stateless.params(tool("tampered_state", again)))))
                    .isEqualTo(-32602);
            assertThat(Found.at(
                                    other.result(3, "tools/call", Stateless.params(tool("request_state", again))),
                                    "content")
                            .json())
                    .contains("state-ok");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "7", "[]", "{\"user_name\":12345}"})
    void answers_that_are_none_are_refused(String responses) throws Exception {
        try (Talk talk = Talk.stateless()) {
            String again = tool("elicitation", ",\"inputResponses\":" + responses);
            assertThat(Found.errorCode(talk.ask(1, "tools/call", Stateless.params(again))))
                    .isEqualTo(-32602);
        }
    }

    @Test
    void a_client_is_asked_only_what_it_said_it_can_answer() throws Exception {
        try (Talk talk = Talk.stateless()) {
            String sampling = "{" + Stateless.meta(Stateless.REVISION, "{\"sampling\":{}}", "");
            JsonView some = talk.result(1, "tools/call", sampling + tool("capabilities", "") + "}");
            assertThat(Found.at(some, "inputRequests").json())
                    .contains("sampling/createMessage")
                    .doesNotContain("elicitation/create", "roots/list");
            JsonView refused = talk.ask(2, "tools/call", sampling + tool("elicitation", "") + "}");
            assertThat(Found.errorCode(refused)).isEqualTo(-32021);
            assertThat(Found.at(refused, "error", "data", "requiredCapabilities"))
                    .hasToString("{\"elicitation\":{}}");
        }
    }

    @Test
    void in_the_era_of_sessions_the_same_tool_asks_one_question_after_the_other() throws Exception {
        try (Talk talk = Talk.in("2025-11-25")) {
            talk.call(1, "test_input_required_result_multi_round", "{}");
            assertThat(talk.askedAndAnswered(NAME).string("method")).isEqualTo("elicitation/create");
            assertThat(Found.textAt(talk.askedAndAnswered(NAME), "params", "message"))
                    .startsWith("Step 2");
            assertThat(talk.textOf(1)).contains("Alice");
            talk.request(2, "prompts/get", "{\"name\":\"test_input_required_result_prompt\"}");
            talk.askedAndAnswered(NAME);
            assertThat(Found.at(talk.hear(), "result", "messages").json()).contains("Alice");
        }
    }
}
