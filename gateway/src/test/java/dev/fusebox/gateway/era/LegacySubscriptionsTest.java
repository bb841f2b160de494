package dev.fusebox.gateway.era;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Who listens hears what it wants to, and nothing else, whatever the eras.
@Tag("process")
@Timeout(120)
class LegacySubscriptionsTest {
    private static final String WATCHED = "test://watched-resource";

    private static Wire.Stream listen(Wire client, int id, String filter) {
        Wire.Stream stream = client.open(Messages.listen(id, filter));
        JsonView first = next(stream);
        assertThat(Messages.method(first)).isEqualTo("notifications/subscriptions/acknowledged");
        assertThat(Messages.at(first, "params", "_meta", Messages.TAG)).hasToString("" + id);
        assertThat(Messages.at(first, "params", "notifications")).hasToString(filter);
        return stream;
    }

    private static JsonView next(Wire.Stream stream) {
        return Objects.requireNonNull(stream.next(), "the stream has ended");
    }

    private static void change(Wire client, int id, String tool) {
        assertThat(client.answer(Messages.call(id, Messages.PLAIN, tool, "{}")).member("result"))
                .isNotNull();
    }

    @ParameterizedTest
    @MethodSource("dev.fusebox.gateway.era.FourPairsTest#fronts_and_servers")
    void stateless_client_receives_notifications_under_its_own_subscription_id(
            SingleServerHarness.Front front, Era era) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(front, era)) {
            Wire client = singleServerHarness.wire();
            Wire.Stream tools = listen(client, 71, "{\"toolsListChanged\":true}");
            Wire.Stream rest =
                    listen(client, 72, "{\"promptsListChanged\":true,\"resourceSubscriptions\":[\"" + WATCHED + "\"]}");
            change(client, 1, "touch");
            change(client, 2, "test_trigger_prompt_change");
            change(client, 3, "test_trigger_tool_change");

            heard(next(tools), "notifications/tools/list_changed", 71);
            heard(next(rest), "notifications/resources/updated", 72);
            heard(next(rest), "notifications/prompts/list_changed", 72);

            rest.close();
            change(client, 4, "touch");
            change(client, 5, "test_trigger_tool_change");
            heard(next(tools), "notifications/tools/list_changed", 71);
            tools.close();
        }
    }

    private static void heard(JsonView message, String method, int id) {
        assertThat(Messages.method(message)).isEqualTo(method);
        assertThat(Messages.at(message, "params", "_meta", Messages.TAG)).hasToString("" + id);
    }

    @ParameterizedTest
    @MethodSource("dev.fusebox.gateway.era.FourPairsTest#fronts_and_servers")
    void a_subscription_ends_with_a_result_when_the_gateway_ends(SingleServerHarness.Front front, Era era) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(front, era)) {
            Wire.Stream stream = listen(singleServerHarness.wire(), 7, "{\"toolsListChanged\":true}");
            singleServerHarness.end();

            ended(next(stream), 7);
        }
    }

    private static void ended(JsonView message, int id) {
        assertThat(Messages.at(message, "id")).hasToString("" + id);
        assertThat(Messages.text(message, "result", "resultType")).isEqualTo("complete");
        assertThat(Messages.at(message, "result", "_meta", Messages.TAG)).hasToString("" + id);
    }

    @Test
    void subscription_ended_by_its_server_ends_under_the_id_of_the_client() {
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(SingleServerHarness.Front.HTTP, Era.MODERN)) {
            Wire.Stream stream = listen(singleServerHarness.wire(), 70, "{\"toolsListChanged\":true}");
            singleServerHarness
                    .wire()
                    .answer(Messages.call(1, Messages.PLAIN, "echo", "{\"fault\":\"end-subscriptions\"}"));

            ended(next(stream), 70);
        }
    }

    @Test
    void a_subscription_ends_with_its_server_and_no_other_is_started_for_that() {
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(SingleServerHarness.Front.HTTP, Era.LEGACY)) {
            Wire.Stream stream =
                    listen(singleServerHarness.wire(), 7, "{\"resourceSubscriptions\":[\"" + WATCHED + "\"]}");
            singleServerHarness.wire().answer(Messages.call(1, Messages.PLAIN, "crash", "{\"how\":\"KILL\"}"));

            ended(next(stream), 7);
            eventually(
                    "no server process is running",
                    () -> assertThat(singleServerHarness.servers()).isEmpty());
            Wire.Stream next =
                    listen(singleServerHarness.wire(), 8, "{\"resourceSubscriptions\":[\"" + WATCHED + "\"]}");
            change(singleServerHarness.wire(), 2, "touch");
            heard(next(next), "notifications/resources/updated", 8);
            next.close();
        }
    }

    @Test
    void a_resource_is_watched_until_the_last_client_has_left() {
        try (SingleServerHarness singleServerHarness =
                        SingleServerHarness.of(SingleServerHarness.Front.HTTP, Era.LEGACY);
                Wire other = singleServerHarness.another()) {
            String filter = "{\"resourceSubscriptions\":[\"" + WATCHED + "\"]}";
            Wire.Stream one = listen(singleServerHarness.wire(), 7, filter);
            Wire.Stream two = listen(other, 7, filter);
            one.close();
            for (int id = 1; id <= 5; id++) {
                change(other, id, "touch");
                heard(next(two), "notifications/resources/updated", 7);
            }
            two.close();
        }
    }

    // ---- A client of the session era before a server of the stateless era

    @Test
    void session_client_receives_updates_of_a_stateless_server_until_it_unsubscribes() {
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(SingleServerHarness.Front.STDIO, Era.MODERN)) {
            Wire client = singleServerHarness.wire();
            client.hello(Messages.PLAIN);
            client.answer(Messages.request(1, "resources/subscribe", "{\"uri\":\"" + WATCHED + "\"}"));

            assertThat(methods(client, 2, "touch")).containsExactly("notifications/resources/updated", "answer");
            assertThat(methods(client, 3, "test_trigger_tool_change"))
                    .containsExactly("notifications/tools/list_changed", "answer");
            client.answer(Messages.request(4, "resources/unsubscribe", "{\"uri\":\"" + WATCHED + "\"}"));
            assertThat(methods(client, 5, "touch")).containsExactly("answer");
        }
    }

    @ParameterizedTest
    @EnumSource
    void updates_of_a_stateless_server_have_no_modern_fields_for_a_session_client(SingleServerHarness.Front front) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(front, Era.MODERN)) {
            Wire client = singleServerHarness.wire();
            client.hello(Messages.PLAIN);
            try (Wire.Stream unrelated = client.unrelated()) {
                client.answer(Messages.request(1, "resources/subscribe", "{\"uri\":\"" + WATCHED + "\"}"));
                List<JsonView> told = new ArrayList<>(client.ask(Messages.sessionCall(2, "touch", "{}")));
                told.addAll(client.ask(Messages.sessionCall(3, "test_trigger_tool_change", "{}")));
                while (!Messages.methods(told)
                        .containsAll(List.of("notifications/resources/updated", "notifications/tools/list_changed"))) {
                    told.add(next(unrelated));
                }
                assertThat(told)
                        .allSatisfy(message -> assertThat(message.path("params", "_meta"))
                                .as("%s", message)
                                .isNull());
                assertThat(told.toString()).doesNotContain(Messages.TAG);
            }
        }
    }

    private static List<String> methods(Wire client, int id, String tool) {
        return Messages.methods(client.ask(Messages.sessionCall(id, tool, "{}")));
    }

    @Test
    void session_client_receives_changes_again_after_a_crash() {
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(SingleServerHarness.Front.STDIO, Era.MODERN)) {
            Wire client = singleServerHarness.wire();
            client.hello(Messages.PLAIN);
            client.answer(Messages.request(1, "resources/subscribe", "{\"uri\":\"" + WATCHED + "\"}"));
            client.answer(Messages.sessionCall(2, "crash", "{\"how\":\"KILL\"}"));

            eventually(
                    "the update of the resource is delivered",
                    () -> assertThat(methods(client, 3, "touch")).contains("notifications/resources/updated"));
        }
    }
}
