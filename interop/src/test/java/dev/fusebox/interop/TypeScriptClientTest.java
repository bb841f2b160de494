package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The official TypeScript client runs the same script four times: directly against the server, and through each
/// front end of the gateway. The observations must be the same, to the last byte of their JSON.
///
/// Over five seconds: the first test of the module waits for npm.
@Tag("interop")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900)
class TypeScriptClientTest {
    private static final JsonView NOTHING = JsonView.of("{}");

    private final Map<Way, JsonView> through = new EnumMap<>(Way.class);
    private JsonView direct = NOTHING;
    private JsonView session = NOTHING;

    @BeforeAll
    void travel(@TempDir Path folder) {
        Served fixture = Served.fixture();
        Path configuration = fixture.configuration(folder);
        direct = Scripts.run("journey.mjs", fixture.direct());
        for (Way way : Way.values()) {
            through.put(way, way.through(configuration, target -> Scripts.run("journey.mjs", target)));
        }
        session = Way.HTTP.through(configuration, target -> Scripts.run("session.mjs", target));
    }

    @Test
    void every_part_of_script_is_same_through_gateway() {
        through.forEach((way, seen) -> direct.forEachMember((part, there) ->
                assertThat(json(seen, part)).as("%s over %s", part, way).isEqualTo(there.json())));
        assertThat(through).hasSize(Way.values().length);
    }

    @ParameterizedTest
    @EnumSource
    void handshake_negotiates_newest_session_revision(Way way) {
        assertThat(seen(way, "initialize"))
                .contains("\"protocolVersion\":\"2025-11-25\"", "fusebox-fixture", "A server for tests.");
        assertThat(seen(way, "ping")).isEqualTo("{}");
    }

    @ParameterizedTest
    @EnumSource
    void tools_are_listed_in_pages_with_unknown_members(Way way) {
        List<JsonView> pages = part(way, "tools").elements();

        assertThat(pages)
                .hasSizeGreaterThan(3)
                .allSatisfy(page -> assertThat(page.member("tools")).isNotNull());
        assertThat(seen(way, "tools")).contains("\"x-unknown\":{\"a\":null}", "outputSchema", "$defs");
    }

    @ParameterizedTest
    @EnumSource
    void tools_answer_with_texts_structures_pictures_sounds_and_resources(Way way) {
        assertThat(seen(way, "text")).contains("Grüße, 世界 🌍 \u2028", "</script>");
        assertThat(seen(way, "structure")).contains("\"structuredContent\":{\"sum\":42}");
        assertThat(seen(way, "image")).contains("\"type\":\"image\"");
        assertThat(seen(way, "audio")).contains("\"type\":\"audio\"");
        assertThat(seen(way, "mixture")).contains("test://mixed-content-resource");
    }

    @ParameterizedTest
    @EnumSource
    void failures_and_errors_are_unchanged(Way way) {
        assertThat(seen(way, "failure")).contains("it is broken", "\"isError\":true");
        assertThat(seen(way, "unknownTool")).contains("-32602", "there-is-no-such-tool");
        assertThat(seen(way, "unknownMethod")).contains("-32601", "no/such-method");
    }

    @ParameterizedTest
    @EnumSource
    void million_characters_pass_in_both_directions(Way way) {
        assertThat(seen(way, "big")).contains("\"length\":3000000");
        assertThat(seen(way, "bigArgument")).contains("\"length\":1000000");
    }

    @ParameterizedTest
    @EnumSource
    void fifty_concurrent_calls_get_own_results_and_progress(Way way) {
        assertThat(part(way, "many").elements()).hasSize(50);
        assertThat(part(way, "manyStreams").elements())
                .hasSize(50)
                .allMatch(steps -> steps.json().equals("[0,50,100]"));
    }

    @ParameterizedTest
    @EnumSource
    void progress_has_token_of_client(Way way) {
        assertThat(Scripts.part(part(way, "progress"), "said").elements()).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource
    void log_messages_respect_level_of_client(Way way) {
        JsonView logging = part(way, "logging");

        assertThat(Scripts.part(Scripts.part(logging, "loud"), "said").elements())
                .hasSize(3);
        assertThat(Scripts.part(Scripts.part(logging, "quiet"), "said").elements())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void cancellation_reaches_server(Way way) {
        assertThat(seen(way, "cancellation")).contains("changed my mind", "\"cancelled\":\"1\"");
    }

    @ParameterizedTest
    @EnumSource
    void sampling_request_is_answered(Way way) {
        assertThat(seen(way, "sampling")).contains("What is new?", "LLM response: heard: What is new?");
    }

    @ParameterizedTest
    @EnumSource
    void twenty_concurrent_elicitations_get_own_answers(Way way) {
        assertThat(seen(way, "manyQuestions"))
                .contains("\"asked\":20", "LLM response: heard: question 0", "LLM response: heard: question 19");
    }

    @ParameterizedTest
    @EnumSource
    void elicitation_can_be_accepted_declined_and_cancelled(Way way) {
        assertThat(seen(way, "elicitation"))
                .contains("yes, please", "action=accept", "action=decline", "action=cancel");
        assertThat(seen(way, "choices")).contains("legacyEnum", "value2", "option3");
    }

    @ParameterizedTest
    @EnumSource
    void server_receives_roots(Way way) {
        assertThat(seen(way, "roots")).contains("file:///somewhere");
    }

    @ParameterizedTest
    @EnumSource
    void unknown_request_is_rejected_by_client(Way way) {
        assertThat(seen(way, "unknownQuestion")).contains("\"text\":\"asked\"");
    }

    @ParameterizedTest
    @EnumSource
    void resources_are_listed_and_read(Way way) {
        assertThat(seen(way, "resources")).contains("test://static-text", "test://watched-resource");
        assertThat(seen(way, "templates")).contains("test://template/{id}/data");
        assertThat(seen(way, "readText")).contains("static text resource");
        assertThat(seen(way, "readBinary")).contains("\"blob\"");
        assertThat(seen(way, "readTemplate")).contains("Data for ID: 7");
        assertThat(seen(way, "readNothing")).contains("-32002", "\"uri\":\"test://nothing\"");
    }

    @ParameterizedTest
    @EnumSource
    void subscriber_receives_updates_until_unsubscribe(Way way) {
        assertThat(seen(way, "subscription")).contains("notifications/resources/updated");
        assertThat(seen(way, "change")).contains("\"left\":[]");
    }

    @ParameterizedTest
    @EnumSource
    void tool_list_change_is_notified_and_listed(Way way) {
        assertThat(seen(way, "change")).contains("\"there\":true", "\"gone\":true");
    }

    @ParameterizedTest
    @EnumSource
    void prompts_are_listed_filled_and_completed(Way way) {
        assertThat(seen(way, "prompts")).contains("test_prompt_with_image");
        assertThat(seen(way, "promptSimple")).contains("a simple prompt");
        assertThat(seen(way, "promptWithArguments")).contains("arg1='eins', arg2='zwei'");
        assertThat(seen(way, "promptWithoutArguments")).contains("-32602");
        assertThat(seen(way, "completion")).contains("[\"park\",\"party\"]");
    }

    @Test
    void broken_stream_is_resumed() {
        assertThat(json(session, "resumed"))
                .contains("Went from 0 to 100.", "\"steps\":[0,50,100]", "\"resumptions\":1");
    }

    @Test
    void stream_of_cancelled_call_is_not_resumed_forever() {
        assertThat(json(session, "cancelled")).isEqualTo("{\"statuses\":[204],\"listened\":1}");
    }

    @Test
    void messages_before_listening_are_not_lost() {
        assertThat(json(session, "heardLate"))
                .contains("\"before\":0,\"after\":[{")
                .contains("tools/list_changed");
    }

    @Test
    void messages_during_broken_stream_are_delivered_once() {
        assertThat(json(session, "missed")).isEqualTo("{\"before\":1,\"meanwhile\":0,\"after\":1,\"next\":1}");
    }

    @Test
    void ended_session_is_gone() {
        assertThat(json(session, "terminated")).isEqualTo("{\"alive\":200,\"dead\":404}");
    }

    @Test
    void clients_are_isolated_from_each_other() {
        assertThat(json(session, "sideBySide"))
                .isEqualTo("{\"heard\":1,\"counts\":[\"1\",\"0\"],\"overheard\":0,\"ownIds\":true}");
    }

    private String seen(Way way, String part) {
        return part(way, part).json();
    }

    private JsonView part(Way way, String part) {
        return Scripts.part(through.getOrDefault(way, NOTHING), part);
    }

    private static String json(JsonView seen, String part) {
        return Scripts.part(seen, part).json();
    }
}
