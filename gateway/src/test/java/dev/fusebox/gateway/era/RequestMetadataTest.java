package dev.fusebox.gateway.era;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// A request of the session era in the dress of the other: each name stands once, and what counts is what the
/// handshake said.
class RequestMetadataTest {
    private final RequestMetadata requestMetadata = new RequestMetadata(
            JsonView.of("{\"clientInfo\":{\"name\":\"own\",\"version\":\"1\"},\"capabilities\":{}}"));

    private static Message.Request request(String params) {
        return Message.Request.of(Words.request(1, "tools/call", params).getBytes(StandardCharsets.UTF_8));
    }

    private static void assertExact(Message.Request dressed) {
        assertThat(dressed.exact()).isSameAs(dressed);
    }

    @Test
    void what_a_client_says_of_itself_in_the_words_of_the_other_era_does_not_count() {
        Message.Request dressed = requestMetadata.on(request("{\"name\":\"x\",\"_meta\":{\"progressToken\":7,"
                + "\"io.modelcontextprotocol/clientCapabilities\":{\"roots\":{}},"
                + "\"io.modelcontextprotocol/ClientInfo\":{\"name\":\"forged\"}}}"));
        assertExact(dressed);
        assertThat(dressed.frame().json())
                .contains("\"progressToken\":7", "\"name\":\"own\"")
                .doesNotContain("forged", "roots");
    }

    @Test
    void metadata_that_is_none_is_replaced() {
        Message.Request dressed = requestMetadata.on(request("{\"_meta\":5}"));
        assertExact(dressed);
        assertThat(ClientMetadata.of(dressed)).isNotNull();
    }

    @Test
    void the_next_round_has_the_answers_and_the_state_of_the_server_once() {
        for (String params : new String[] {"{}", "{\"requestState\":\"forged\",\"inputResponses\":{\"forged\":1}}"}) {
            Message.Request dressed = requestMetadata.on(request(params), "{\"q\":{}}", "\"own\"");
            assertExact(dressed);
            assertThat(dressed.frame().json())
                    .contains("\"inputResponses\":{\"q\":{}}", "\"requestState\":\"own\"")
                    .doesNotContain("forged");
        }
    }
}
