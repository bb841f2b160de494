package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rejections whose status arrives and whose body does not, or not as announced: the status decides.
@Timeout(120)
class BrokenRejectionsTest {
    private static final String ECHO = "{\"name\":\"echo\"}";

    /// Larger than the buffers of both ends.
    private static final String LARGE = "{\"name\":\"" + "x".repeat(16 << 20) + "\"}";

    private static String head(int status, String... headers) {
        return "HTTP/1.1 " + status + " Any\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    }

    private static void assertIs(CallFailure failure, int status, FailureCategory category) {
        assertThat(failure.evidence().httpStatus()).as(failure.message()).isEqualTo(status);
        assertThat(failure.category()).isEqualTo(category);
        assertThat(failure.delivery()).isEqualTo(Delivery.REJECTED);
    }

    @ParameterizedTest
    @CsvSource({"401, AUTH", "403, AUTH", "429, LOCAL", "503, HTTP"})
    void f43_status_decides_if_the_connection_closes_in_the_body(int status, FailureCategory category)
            throws IOException {
        RawServer.Script script = wire -> {
            wire.next();
            wire.write(head(status, "Retry-After: 7", "Content-Length: 100") + "not all");
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            CallFailure failure = client.failure("tools/call", ECHO);

            assertIs(failure, status, category);
            assertThat(failure.retryAfter()).isEqualTo(status == 429 || status == 503 ? Duration.ofSeconds(7) : null);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "401, AUTH, Content-Encoding: gzip",
        "401, AUTH, Content-Encoding: br",
        "503, HTTP, Transfer-Encoding: chunked"
    })
    void f43_status_decides_if_the_body_is_unreadable(int status, FailureCategory category, String header)
            throws IOException {
        RawServer.Script script = wire -> {
            wire.next();
            wire.write(head(status, header) + "neither");
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertIs(client.failure("tools/call", ECHO), status, category);
        }
    }

    @ParameterizedTest
    @CsvSource({"401, AUTH", "503, HTTP"})
    void f43_status_decides_if_the_body_never_ends(int status, FailureCategory category) throws IOException {
        RawServer.Script script = wire -> {
            wire.next();
            wire.write(head(status, "Content-Length: 100") + "not all");
            wire.awaitClosed();
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertIs(RecordingClient.failed(client.call("tools/call", ECHO, Duration.ofSeconds(2))), status, category);
        }
    }

    /// As servers do that check the headers only.
    @ParameterizedTest
    @CsvSource({"401, AUTH", "413, OTHER"})
    void f43_large_request_that_is_rejected_early_fails_by_its_status(int status, FailureCategory category)
            throws IOException {
        RawServer.Script script = wire -> {
            wire.socket.getInputStream().readNBytes(1_000);
            wire.write(head(status, "Content-Length: 0", "Connection: close"));
        };
        try (RawServer server = RawServer.start(script);
                RecordingClient client = RecordingClient.at(server.uri())) {
            assertIs(client.failure("tools/call", LARGE), status, category);
        }
    }
}
