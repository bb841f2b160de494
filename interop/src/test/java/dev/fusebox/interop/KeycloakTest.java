package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.FreePort;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Keycloak in front of a server of the official SDK, with the official client. Only with `-Dkeycloak`, after its
/// distribution has been fetched as `keycloak/start` describes, and with Chromium (Debian's package `chromium`).
///
/// Over five seconds: Keycloak takes half a minute to start.
@Tag("soak")
@Timeout(600)
@EnabledIfSystemProperty(named = "keycloak", matches = ".*")
class KeycloakTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /// Of an access token, in the realm.
    private static final Duration LIFETIME = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    @Test
    void person_logs_in_and_refresh_token_rotates() throws JsonSyntaxError {
        int port = FreePort.next();
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

    @Test
    void person_consents_in_browser_and_login_outlives_its_tokens() throws IOException, JsonSyntaxError {
        int port = FreePort.next();
        try (Keycloak keycloak = Keycloak.start("http://127.0.0.1:" + port + "/mcp");
                ProtectedServer server = ProtectedServer.start(options(keycloak, port))) {
            Files.writeString(
                    home.resolve("config.json"), "{\"mcpServers\": {\"work\": {\"url\": \"" + server.url() + "\"}}}");
            assertThat(fusebox("login", "work").succeeds().out()).contains("logged in to work");
            JsonView browser = JsonView.parse(Files.readAllBytes(home.resolve("browser.json")));
            assertThat(json(browser, "pages")).contains("Sign in", "Grant Access");
            assertThat(browser.string("text")).contains("work");
            assertThat(json(browser, "loaded")).isEqualTo("[]");

            assertThat(fusebox("login", "--list").succeeds().out()).contains("renewed by refresh token");
            long end = System.nanoTime() + LIFETIME.multipliedBy(3).toNanos();
            while (System.nanoTime() < end) {
                assertThat(fusebox("call", "work", "whoami").succeeds().out()).contains("mcp");
            }
            assertThat(fusebox("logout", "work").succeeds().err()).doesNotContain("may be valid");
            assertThat(fusebox("call", "work", "whoami").code()).isEqualTo(1);
        }
    }

    /// With a browser that is opened like that of a person.
    private Run fusebox(String... words) throws IOException {
        Path browser = home.resolve("browser");
        Files.writeString(
                browser,
                "#!/bin/sh\nexec '" + Npm.node() + "' '" + Npm.script("browser-login.mjs") + "' \"$1\" > '" + home
                        + "/browser.json' 2> '" + home + "/browser.err'\n");
        assertThat(browser.toFile().setExecutable(true)).isTrue();
        ProcessBuilder program = new ProcessBuilder(JavaProgram.gateway(words));
        program.environment()
                .putAll(Map.of(
                        "FUSEBOX_HOME", home.toString(),
                        "BROWSER", browser.toString(),
                        "DISPLAY", ":0",
                        "LOGIN_USERNAME", "alice",
                        "LOGIN_PASSWORD", "alice-password"));
        return Run.of(program, LIMIT);
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
