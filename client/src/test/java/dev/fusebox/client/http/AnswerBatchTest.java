package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers over HTTP that respond in JSON-RPC batches, which only revision 2025-03-26 allows.
@Timeout(120)
class AnswerBatchTest {
    private static final String DONE = "{\"content\":[]}";
    private static final String ECHO = "{\"name\":\"echo\"}";

    /// @param isStream whether calls are answered on a stream that stays open
    private static RawServer server(String revision, boolean isStream) throws IOException {
        return RawServer.answering(request -> {
            if (request.rpcMethod().equals("initialize")) {
                String welcome = "{\"protocolVersion\":\"" + revision + "\",\"capabilities\":{}}";
                return RawServer.json(200, request.result(welcome));
            }
            if (!request.rpcMethod().equals("tools/call")) {
                return RawServer.ACCEPTED;
            }
            String batch = "[" + request.result(DONE) + "]";
            return isStream ? RawServer.EVENTS + RawServer.chunk(RawServer.data(batch)) : RawServer.json(200, batch);
        });
    }

    private static void assertBatched(CallFailure failure, String revision) {
        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
        assertThat(failure.category()).isEqualTo(FailureCategory.OTHER);
        assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(failure.message()).contains("batches are not part of revision " + revision);
    }

    @ParameterizedTest
    @CsvSource({"2025-06-18, false", "2025-06-18, true", "2025-11-25, false", "2025-11-25, true", "2024-11-05, false"})
    void f23_batch_of_a_revision_without_batches_is_a_protocol_violation(String revision, boolean isStream)
            throws IOException {
        try (RawServer server = server(revision, isStream);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();
            assertBatched(client.failure("tools/call", ECHO), revision);
            assertThat(client.connection.isAlive()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void f23_batch_of_revision_2025_03_26_is_an_answer(boolean isStream) throws IOException {
        try (RawServer server = server("2025-03-26", isStream);
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.initialize();
            assertThat(client.answer("tools/call", ECHO)).contains(DONE);
        }
    }

    @Test
    void f23_batch_of_a_stateless_server_is_a_protocol_violation() throws IOException {
        try (RawServer server = server("2026-07-28", false);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertBatched(
                    client.failure("tools/call", "{\"name\":\"echo\"," + RecordingClient.STATELESS + "}"),
                    "2026-07-28");
        }
    }
}
