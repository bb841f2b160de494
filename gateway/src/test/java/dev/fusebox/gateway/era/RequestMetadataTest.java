package dev.fusebox.gateway.era;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Requests of a legacy client for a modern server: each name is there once, and the metadata is that of the
/// handshake.
class RequestMetadataTest {
    private final RequestMetadata requestMetadata = new RequestMetadata(
            JsonView.of("{\"clientInfo\":{\"name\":\"own\",\"version\":\"1\"},\"capabilities\":{}}"), null);

    private static Message.Request request(String params) {
        return Message.Request.of(Messages.request(1, "tools/call", params).getBytes(StandardCharsets.UTF_8));
    }

    /// The request as it is sent, under the id 9.
    private Message.Request sent(String params) {
        Deadline deadline = new Deadline(Duration.ofMinutes(1), Duration.ZERO, SingleServerHarness.PLATFORM.ticker());
        Call call = new Call(request(params), requestMetadata.client(), deadline, Caller.SILENT);
        return Message.Request.of(ModernFields.into(call).frame("9", call.progressToken()));
    }

    private static void assertExact(Message.Request sent) {
        assertThat(sent.exact()).isSameAs(sent);
    }

    @Test
    void reserved_metadata_of_legacy_client_is_replaced() {
        Message.Request sent = sent("{\"name\":\"x\",\"_meta\":{\"progressToken\":7,"
                + "\"io.modelcontextprotocol/clientCapabilities\":{\"roots\":{}},"
                + "\"io.modelcontextprotocol/ClientInfo\":{\"name\":\"forged\"}}}");
        assertExact(sent);
        assertThat(sent.frame().json())
                .contains("\"progressToken\":9", "\"name\":\"own\"", "\"id\":9")
                .doesNotContain("forged", "roots");
    }

    @Test
    void metadata_is_added_beside_other_members() {
        for (String params : new String[] {"{}", "{\"_meta\":{}}", "{\"_meta\":{\"own\":1}}", "{\"name\":\"x\"}"}) {
            Message.Request sent = sent(params);
            assertExact(sent);
            assertThat(ClientMetadata.of(sent)).isNotNull();
        }
    }

    @Test
    void metadata_that_is_no_object_is_replaced() {
        Message.Request sent = sent("{\"_meta\":5}");
        assertExact(sent);
        assertThat(ClientMetadata.of(sent)).isNotNull();
    }

    @Test
    void next_round_has_answers_and_state_once() {
        for (String params : new String[] {"{}", "{\"requestState\":\"forged\",\"inputResponses\":{\"forged\":1}}"}) {
            Message.Request next = RequestMetadata.answering(request(params), "{\"q\":{}}", "\"own\"");
            assertExact(next);
            assertThat(next.frame().json())
                    .contains("\"inputResponses\":{\"q\":{}}", "\"requestState\":\"own\"")
                    .doesNotContain("forged");
        }
    }
}
