package dev.fusebox.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.framing.LineSplitter;
import dev.fusebox.client.framing.OversizedMessage;
import dev.fusebox.protocol.JsonView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The error for a message of a client that is over the limit.
class ClientMessageLimitTest {
    private static final String LARGE = "\"params\":{\"x\":\"" + "x".repeat(10_000) + "\"}";

    /// A splitter with a small limit keeps as much of a longer line as one with a large limit.
    private static JsonView error(String message) {
        List<JsonView> errors = new ArrayList<>();
        LineSplitter splitter = new LineSplitter(1_000, new LineSplitter.Sink() {
            @Override
            public void line(byte[] buffer, int from, int to) {
                throw new IllegalStateException("the line is not over the limit");
            }

            @Override
            public void tooLong(OversizedMessage line) {
                errors.add(JsonView.of(new String(ClientMessageLimit.error(line), StandardCharsets.UTF_8)));
            }
        });
        byte[] bytes = (message + "\n").getBytes(StandardCharsets.UTF_8);
        splitter.accept(bytes, bytes.length);
        assertThat(errors).hasSize(1);
        return errors.getFirst();
    }

    private static String id(String message) {
        return String.valueOf(error(message).member("id"));
    }

    @Test
    void error_names_the_size_the_limit_and_what_to_do() {
        String message = "{\"id\":1,\"method\":\"x\"," + LARGE + "}";
        assertThat(error(message).path("error", "message"))
                .hasToString(
                        "\"message of " + message.length() + " bytes exceeds the limit of 16777216 bytes for messages"
                                + " of clients; it was not processed; send less data in one message\"");
    }

    @Test
    void error_has_the_id_of_the_request_if_either_end_shows_it() {
        assertThat(id("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\"," + LARGE + "}"))
                .isEqualTo("7");
        assertThat(id("{\"method\":\"tools/call\"," + LARGE + ",\"jsonrpc\":\"2.0\",\"id\":\"a\"}"))
                .isEqualTo("\"a\"");
    }

    @Test
    void error_has_no_id_if_the_message_does_not_show_that_it_is_a_request() {
        assertThat(id("{" + LARGE + ",\"method\":\"tools/call\",\"id\":7}")).isEqualTo("null");
        assertThat(id("{\"id\":7,\"result\":{\"method\":\"x\"," + LARGE + "}}")).isEqualTo("null");
        assertThat(id("x".repeat(10_000))).isEqualTo("null");
    }
}
