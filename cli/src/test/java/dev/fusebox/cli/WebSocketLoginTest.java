package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.ProtectedWebSocket;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A login to a server over WebSocket, whose metadata is at the same host and port over HTTP.
@Tag("process")
@Timeout(60)
class WebSocketLoginTest {
    private final CapturedOutput output = CapturedOutput.before(new BrowserOfTest());

    @TempDir
    private Path home;

    private Platform platform;
    private AuthorizationServer authorization;
    private ProtectedWebSocket server;

    @BeforeEach
    void start() throws IOException {
        platform = Platform.system().withEnvironment(Map.of("FUSEBOX_HOME", home.toString()));
        authorization = AuthorizationServer.start();
        server = ProtectedWebSocket.start(authorization);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        authorization.close();
    }

    /// @param keys of the server, beside its address
    private String config(String keys) {
        return "{\"mcpServers\": {\"board\": {\"url\": \"" + server.uri() + "\"" + keys + "}}}";
    }

    private ServedHere served(String keys) throws Exception {
        return ServedHere.withLogins(platform, home, config(keys));
    }

    private void logIn() throws IOException {
        Files.writeString(home.resolve("config.json"), config(""));
        assertThat(LoginCommand.run(platform, InputStream.nullInputStream(), List.of("board"), output.next()))
                .as(output::err)
                .isEqualTo(ExitStatus.DONE);
    }

    private static String call(ServedHere gateway) {
        try {
            return gateway.call("board__echo").json();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void token_of_a_login_is_sent_with_the_upgrade() throws Exception {
        logIn();
        assertThat(output.out()).contains("logged in to board, scopes files:read");
        int before = server.observed().accepted();
        try (ServedHere gateway = served("")) {
            assertThat(call(gateway)).doesNotContain("error");
        }
        assertThat(server.observed().accepted()).isGreaterThan(before);
        assertThat(authorization.observed().logins()).isEqualTo(1);
        assertThat(authorization.observed().refreshes()).isEmpty();
    }

    @Test
    void token_that_is_no_longer_valid_is_refreshed_for_the_next_upgrade() throws Exception {
        logIn();
        try (ServedHere gateway = served("")) {
            assertThat(call(gateway)).doesNotContain("error");
            int rejected = server.observed().rejected();
            authorization.expireAccessTokens();
            server.disconnectAll();

            eventually("a call succeeds over another connection", () -> {
                assertThat(call(gateway)).doesNotContain("error");
                assertThat(server.observed().rejected()).isGreaterThan(rejected);
            });
            assertThat(authorization.observed().refreshes()).hasSize(1);
            assertThat(authorization.observed().logins()).isEqualTo(1);
        }
    }

    @Test
    void calls_without_a_login_name_the_command_and_open_no_breaker() throws Exception {
        try (ServedHere gateway = served(", \"breaker\": {\"failureThreshold\": 1}")) {
            for (int i = 0; i < 3; i++) {
                JsonView answer = gateway.call("board__echo");
                assertThat(RunningGateway.failure(answer)).startsWith("auth_required auth ");
                assertThat(answer.json()).contains("login board");
            }
        }
    }
}
