package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server whose own certificate is the configured authority, and has expired.
@Tag("process")
@Timeout(120)
class ExpiredAuthorityTest {
    @TempDir
    Path directory;

    @Test
    void expired_certificate_that_is_its_own_authority_is_rejected() throws Exception {
        List<String> expired =
                List.of("-dname", "CN=expired", "-startdate", "-3d", "-validity", "1", "-ext", "san=ip:127.0.0.1");
        SelfSigned authority = SelfSigned.make(directory, expired);
        try (RawServer server = authority.server(request -> RawServer.json(200, request.result("{\"content\":[]}")));
                RecordingClient client = RecordingClient.at(server.uri(), authority.trusting())) {
            CallFailure failure = client.failure("tools/call", "{\"name\":\"echo\"}");

            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(failure.id()).isEqualTo(ErrorId.CERTIFICATE_EXPIRED);
            assertThat(failure.message()).contains("the server certificate is expired or not yet valid");
            assertThat(server.received).isEmpty();
        }
    }
}
