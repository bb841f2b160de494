package dev.fusebox.gateway.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.MessagePreview;
import dev.fusebox.protocol.RequestId;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionMemoryTest {
    private static final String CHANGED = "notifications/tools/list_changed";

    private final SessionMemory memory = new SessionMemory();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String answer(String id, String tools) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"tools\":[" + tools + "]}}";
    }

    /// The client has asked for its tools and seen these.
    private void seen(String params, String tools) {
        memory.note("notifications/initialized", bytes("{\"method\":\"notifications/initialized\"}"));
        byte[] request = bytes("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\",\"params\":" + params + "}");
        byte[] answer = bytes(answer("7", tools));
        memory.noteAnswer(new OpenRequest(RequestId.of(7), "tools/list", request), answer, 0, answer.length);
    }

    private RequestId asked() {
        byte[] request = memory.comparing(CHANGED).orElseThrow();
        return Objects.requireNonNull(
                MessagePreview.of(request, 0, request.length).id());
    }

    private Optional<String> told(RequestId id, String tools) {
        byte[] answer = bytes(answer(id.json(), tools));
        return memory.changed(id, answer, 0, answer.length).map(told -> new String(told, StandardCharsets.UTF_8));
    }

    @Test
    void client_is_told_of_a_list_that_differs_from_the_one_it_has_seen() {
        seen("{}", "{\"name\":\"one\"}");
        assertThat(told(asked(), "{\"name\":\"one\"}")).isEmpty();
        assertThat(told(asked(), "{\"name\":\"two\"}"))
                .hasValueSatisfying(told -> assertThat(told).contains(CHANGED));
    }

    @Test
    void requests_for_a_list_that_are_in_flight_together_have_different_ids() {
        seen("{}", "");
        RequestId first = asked();
        RequestId second = asked();
        assertThat(first).isNotEqualTo(second);
        assertThat(SessionMemory.isOurs(first) && SessionMemory.isOurs(second)).isTrue();
    }

    @Test
    void client_is_told_once_of_each_change() {
        seen("{}", "");
        assertThat(told(asked(), "{\"name\":\"two\"}")).isPresent();
        assertThat(told(asked(), "{\"name\":\"two\"}")).isEmpty();
        assertThat(told(asked(), "")).isPresent();
    }

    @Test
    void list_in_several_pages_and_list_that_was_never_seen_are_not_compared() {
        assertThat(memory.comparing(CHANGED)).isEmpty();
        seen("{\"cursor\":\"2\"}", "");
        assertThat(memory.comparing(CHANGED)).isEmpty();
    }
}
