package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Keycloak in front of a server of the official SDK, with the official client. Only with `-Dkeycloak`, after its
/// distribution has been fetched as `keycloak/start` describes.
///
/// Over five seconds: Keycloak takes half a minute to start.
@Tag("soak")
@Timeout(600)
@EnabledIfSystemProperty(named = "keycloak", matches = ".*")
class KeycloakTest {
    @Test
    void person_logs_in_and_refresh_token_rotates() throws JsonSyntaxError {
        int port = Listening.freePort();
        try (Keycloak keycloak = Keycloak.start("http://127.0.0.1:" + port + "/mcp");
                ProtectedServer server = ProtectedServer.start(options(keycloak, port))) {
            ProcessBuilder command = new ProcessBuilder(Npm.node(), Npm.script("oauth-login.mjs"), server.url());
            Run run = LoginRun.of(command, Keycloak.alice()::authorize).succeeds();

            List<String> lines = run.out().lines().toList();
            JsonView seen = JsonView.parse(lines.getLast().getBytes(StandardCharsets.UTF_8));
            assertThat(seen.string("issuer")).isEqualTo(keycloak.issuer());
            assertThat(json(seen, "called", "scopes")).isEqualTo("[\"mcp\"]");
            assertThat(json(seen, "rotated")).isEqualTo("true");
            assertThat(seen.string("firstAgain")).isEqualTo("invalid_grant");
            assertThat(seen.string("secondAfterReuse")).isEqualTo("invalid_grant");
        }
    }

    /// Keycloak tells about a token only to a client in its audience, which is the server's address here.
    private static String options(Keycloak keycloak, int port) {
        return "{\"issuer\": \"" + keycloak.issuer() + "\", \"port\": " + port + ", \"format\": \"jwt\"}";
    }

    private static String json(JsonView seen, String... path) {
        return Objects.requireNonNull(seen.path(path), () -> "not there: " + seen)
                .json();
    }
}
