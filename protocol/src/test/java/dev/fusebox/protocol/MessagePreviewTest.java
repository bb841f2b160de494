package dev.fusebox.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Tests of what the two ends of a message show.
class MessagePreviewTest {
    private static final String BIG = "x".repeat(1000);

    /// The first and the last hundred bytes.
    private static MessagePreview ends(String message) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        return MessagePreview.of(
                Arrays.copyOf(bytes, Math.min(100, bytes.length)),
                Arrays.copyOfRange(bytes, Math.max(0, bytes.length - 100), bytes.length));
    }

    @Test
    void id_at_the_start_of_a_response_is_found() {
        MessagePreview seen =
                ends(" { \"jsonrpc\" : \"2.0\", \"id\" : 71 , \"result\":{\"id\":5,\"text\":\"" + BIG + "\"}}");

        assertThat(seen.id()).isEqualTo(RequestId.of(71));
        assertThat(seen.answers()).isTrue();
        assertThat(seen.asks()).isFalse();
    }

    @Test
    void id_at_the_end_of_a_response_is_found() {
        String result = "{\"result\":{\"id\":5,\"text\":\"" + BIG + "\"},";

        assertThat(ends(result + "\"id\":71}").id()).isEqualTo(RequestId.of(71));
        assertThat(ends(result + "\"id\":\"a\\\"b\",\"jsonrpc\":\"2.0\"} ").id())
                .isEqualTo(RequestId.of("a\"b"));
        assertThat(ends(result + "\"id\":71}").answers()).isTrue();
    }

    @Test
    void nested_id_is_not_the_id_of_the_message() {
        assertThat(ends("{\"result\":{\"a\":{\"id\":4},\"text\":\"" + BIG + "\",\"id\":5}}")
                        .id())
                .isNull();
        assertThat(ends("{\"result\":\"" + BIG + "\",\"x\\\"id\":5}").id()).isNull();
        assertThat(ends("{\"result\":[\"{\\\"id\\\":1}\",\"" + BIG + "\"]}").id())
                .isNull();
    }

    @Test
    void request_is_not_a_response() {
        MessagePreview seen = ends("{\"id\":7,\"method\":\"x\",\"params\":{\"result\":\"" + BIG + "\"}}");

        assertThat(seen.asks()).isTrue();
        assertThat(seen.answers()).isFalse();
        assertThat(seen.id()).isEqualTo(RequestId.of(7));
    }

    @Test
    void truncated_id_is_not_mistaken_for_a_shorter_one() {
        byte[] head = "{\"jsonrpc\":\"2.0\",\"id\":712".getBytes(StandardCharsets.UTF_8);

        assertThat(MessagePreview.of(head, new byte[0]).id()).isNull();
    }

    @Test
    void invalid_message_has_no_id_and_no_method() {
        for (String text : new String[] {"", "{", "[1,2]", "{\"id\"", "{\"id\":", "{\"\\", "\"id\":5}x", BIG, "{,}"}) {
            assertThat(ends(text).id()).as(text).isNull();
            assertThat(ends(text).answers()).as(text).isFalse();
        }
    }
}
