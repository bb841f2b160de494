package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Listening in the stateless era.
@Timeout(60)
class ModernSubscriptionTest {
    private static final String TAG = "io.modelcontextprotocol/subscriptionId";
    private static final String TOUCH = Stateless.tool("touch", "{}");
    private static final String CHANGE = Stateless.tool("test_trigger_tool_change", "{}");
    private static final String CHANGE_PROMPTS = Stateless.tool("test_trigger_prompt_change", "{}");

    private static JsonView listen(Talk talk, int id, String filter) throws InterruptedException {
        talk.request(id, "subscriptions/listen", Stateless.params(",\"notifications\":" + filter));
        JsonView first = talk.hear();
        assertThat(first.string("method")).isEqualTo("notifications/subscriptions/acknowledged");
        assertThat(Found.at(first, "params", "_meta", TAG)).hasToString("" + id);
        return Found.at(first, "params", "notifications");
    }

    @Test
    void it_begins_with_what_it_listens_for() throws Exception {
        try (Talk talk = Talk.stateless()) {
            assertThat(listen(talk, 1, "{\"toolsListChanged\":true,\"promptsListChanged\":false,\"moonPhase\":true}"))
                    .hasToString("{\"toolsListChanged\":true}");
            assertThat(listen(talk, 2, "{\"resourceSubscriptions\":[\"test://a\"]}"))
                    .hasToString("{\"resourceSubscriptions\":[\"test://a\"]}");
            assertThat(listen(talk, 3, "{}")).hasToString("{}");
        }
    }

    @Test
    void it_hears_of_what_it_listens_for_and_of_nothing_else() throws Exception {
        try (Talk talk = Talk.stateless()) {
            listen(talk, 1, "{\"toolsListChanged\":true}");
            listen(talk, 2, "{\"promptsListChanged\":true,\"resourceSubscriptions\":[\"test://watched-resource\"]}");
            talk.request(3, "tools/call", Stateless.params(CHANGE));
            assertHeard(talk.hear(), "notifications/tools/list_changed", 1);
            assertThat(talk.hear().member("id")).hasToString("3");
            talk.request(4, "tools/call", Stateless.params(CHANGE_PROMPTS));
            assertHeard(talk.hear(), "notifications/prompts/list_changed", 2);
            assertThat(talk.hear().member("id")).hasToString("4");
            talk.request(5, "tools/call", Stateless.params(TOUCH));
            JsonView updated = talk.hear();
            assertHeard(updated, "notifications/resources/updated", 2);
            assertThat(Found.textAt(updated, "params", "uri")).isEqualTo("test://watched-resource");
            assertThat(talk.hear().member("id")).hasToString("5");
        }
    }

    private static void assertHeard(JsonView message, String method, int id) {
        assertThat(message.string("method")).isEqualTo(method);
        assertThat(Found.at(message, "params", "_meta", TAG)).hasToString("" + id);
    }

    @Test
    void a_prompt_that_comes_is_listed_and_one_that_goes_is_not() throws Exception {
        try (Talk talk = Talk.stateless()) {
            talk.result(1, "tools/call", Stateless.params(CHANGE_PROMPTS));
            assertThat(talk.result(2, "prompts/list", Stateless.params("")).json())
                    .contains("prompt-of-change");
            talk.result(3, "tools/call", Stateless.params(CHANGE_PROMPTS));
            assertThat(talk.result(4, "prompts/list", Stateless.params("")).json())
                    .doesNotContain("prompt-of-change");
        }
    }

    @Test
    void a_cancelled_one_ends_without_a_word() throws Exception {
        try (Talk talk = Talk.stateless()) {
            listen(talk, 1, "{\"toolsListChanged\":true}");
            talk.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
            talk.result(2, "tools/call", Stateless.params(CHANGE));
        }
    }

    @Test
    void one_that_the_server_ends_ends_with_a_result() throws Exception {
        try (Talk talk = Talk.stateless()) {
            listen(talk, 1, "{\"toolsListChanged\":true}");
            talk.request(
                    2, "tools/call", Stateless.params(Stateless.tool("echo", "{\"fault\":\"end-subscriptions\"}")));
            JsonView end = talk.hear();
            assertThat(end.member("id")).hasToString("1");
            assertThat(Found.textAt(end, "result", "resultType")).isEqualTo("complete");
            assertThat(Found.at(end, "result", "_meta", TAG)).hasToString("1");
            assertThat(talk.hear().member("id")).hasToString("2");
            talk.result(3, "tools/call", Stateless.params(CHANGE));
            listen(talk, 4, "{\"toolsListChanged\":true}");
        }
    }
}
