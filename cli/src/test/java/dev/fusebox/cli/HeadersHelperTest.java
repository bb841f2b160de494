package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.FixtureClient;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.fixtures.server.SocketServer;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A gateway whose server accepts only the tokens that a program of the configuration prints.
@Tag("process")
@Timeout(60)
class HeadersHelperTest {
    private static final int CALLERS = 20;
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir
    private Path folder;

    private AuthorizationServer authorization;
    private ProtectedServer server;

    @BeforeEach
    void start() throws IOException {
        authorization = AuthorizationServer.start();
        authorization.addClient(FixtureClient.withSecret("robot", "robot-secret-1", FixtureClient.Method.BASIC));
        server = ProtectedServer.start(authorization);
        Path program = Files.writeString(
                folder.resolve("helper"),
                "#!/bin/sh\necho run >> '" + folder + "/runs'\nnow=$(date +%s)\n. '" + folder + "/printed'\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    @AfterEach
    void stop() {
        server.close();
        authorization.close();
    }

    private ServedHere served() throws Exception {
        return served(server.uri().toString());
    }

    private ServedHere served(String url) throws Exception {
        return ServedHere.withLogins(
                Platform.system(),
                folder,
                "{\"mcpServers\":{\"one\":{\"url\":\"" + url + "\",\"headersHelper\":\"" + folder.resolve("helper")
                        + "\"}}}");
    }

    /// A new access token, obtained by client credentials.
    private String token() throws IOException {
        String resource = URLEncoder.encode(server.uri().toString(), UTF_8);
        String answer = posted("/token", "grant_type=client_credentials&resource=" + resource);
        return Objects.requireNonNull(RunningGateway.read(answer).string("access_token"));
    }

    private String posted(String path, String form) throws IOException {
        HttpURLConnection post = (HttpURLConnection)
                URI.create(authorization.issuer() + path).toURL().openConnection();
        post.setDoOutput(true);
        post.setRequestProperty("Authorization", "Basic cm9ib3Q6cm9ib3Qtc2VjcmV0LTE=");
        post.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
        try (OutputStream out = post.getOutputStream()) {
            out.write(form.getBytes(UTF_8));
        }
        try (InputStream in = post.getInputStream()) {
            return new String(in.readAllBytes(), UTF_8);
        } finally {
            post.disconnect();
        }
    }

    private void prints(String token, Duration lifetime) throws IOException {
        String headers = "{\"headers\":{\"Authorization\":\"Bearer " + token + "\"},\"expiresAt\":'$((now + "
                + lifetime.toSeconds() + "))'}";
        Files.writeString(folder.resolve("printed"), "echo '" + headers + "'\n");
    }

    private long runs() throws IOException {
        return Files.readAllLines(folder.resolve("runs")).size();
    }

    private static String text(JsonView answer) {
        return answer.json();
    }

    @Test
    @Shows("server.headersHelper")
    void printed_headers_are_sent_and_used_until_they_expire() throws Exception {
        prints(token(), LONG);
        try (ServedHere gateway = served()) {
            assertThat(text(gateway.tools())).contains("one__echo");
            assertThat(text(gateway.call("one__echo"))).doesNotContain("error");
            assertThat(text(gateway.call("one__echo"))).doesNotContain("error");
            assertThat(runs()).isEqualTo(1);
        }
    }

    @Test
    void program_runs_again_once_its_headers_have_expired() throws Exception {
        prints(token(), Duration.ofSeconds(2));
        try (ServedHere gateway = served()) {
            assertThat(text(gateway.tools())).contains("one__echo");
            long before = runs();
            Platform.system().pause(Duration.ofSeconds(2));
            prints(token(), LONG);
            assertThat(text(gateway.call("one__echo"))).doesNotContain("error");
            // The gateway's own requests may have run it too, after the expiry and before the new headers.
            long after = runs();
            assertThat(after).isGreaterThan(before);
            assertThat(text(gateway.call("one__echo"))).doesNotContain("error");
            assertThat(runs()).isEqualTo(after);
        }
    }

    @Test
    void rejected_headers_are_printed_again_once_for_all_callers_and_the_calls_are_sent_again() throws Exception {
        String first = token();
        prints(first, LONG);
        try (ServedHere gateway = served()) {
            assertThat(text(gateway.tools())).contains("one__echo");
            long before = runs();
            // In this order, since the gateway's own requests may run the program as soon as the first is rejected.
            prints(token(), LONG);
            posted("/revoke", "token=" + URLEncoder.encode(first, UTF_8));
            List<Future<JsonView>> calls = new ArrayList<>();
            try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < CALLERS; i++) {
                    calls.add(callers.submit(() -> gateway.call("one__echo")));
                }
            }
            for (Future<JsonView> call : calls) {
                assertThat(text(call.get())).doesNotContain("error");
            }
            assertThat(runs()).isEqualTo(before + 1);
        }
    }

    @Test
    void printed_headers_are_sent_with_the_upgrade_to_a_websocket() throws Exception {
        prints("t0ken-of-the-test", LONG);
        try (SocketServer socket = SocketServer.webSocket(ServerScript.faultless(), "t0ken-of-the-test");
                ServedHere gateway = served(socket.url())) {
            assertThat(text(gateway.call("one__echo"))).doesNotContain("error");
            assertThat(runs()).isEqualTo(1);
        }
    }

    @Test
    void rejected_headers_of_an_upgrade_are_printed_again_once_and_the_call_succeeds() throws Exception {
        Files.writeString(folder.resolve("printed"), """
                token=t0ken-of-the-test
                if [ "$(wc -l < '%s/runs')" -eq 1 ]; then token=rejected-token-1; fi
                echo '{"headers":{"Authorization":"Bearer '"$token"'"}}'
                """.formatted(folder));
        try (SocketServer socket = SocketServer.webSocket(ServerScript.faultless(), "t0ken-of-the-test");
                ServedHere gateway = served(socket.url())) {
            assertThat(text(gateway.call("one__echo"))).doesNotContain("error");
            assertThat(runs()).isEqualTo(2);
        }
    }

    @Test
    void failing_program_is_named_with_its_last_error_and_no_breaker_trips() throws Exception {
        prints(token(), LONG);
        try (ServedHere gateway = served()) {
            assertThat(text(gateway.tools())).contains("one__echo");
        }
        Files.delete(folder.resolve("printed"));
        try (ServedHere gateway = served()) {
            assertThat(text(gateway.call("one__echo")))
                    .contains("headersHelper of one")
                    .contains("exit status ")
                    .contains("No such file")
                    .doesNotContain("breaker");
        }
    }

    @Test
    void output_that_is_no_object_of_headers_is_refused_without_showing_it() throws Exception {
        for (String printed : List.of(
                "secret-text-1",
                "{\"headers\":\"secret-text-1\"}",
                "{\"headers\":{\"Authorization\":[\"secret-text-1\"]}}",
                "{\"headers\":{\"Host\":\"secret-text-1\"}}",
                "{\"headers\":{\"Authorization\":\"secret-text-1\\r\\nX: y\"}}",
                "{\"headers\":{\"Authorization\":\"secret-text-1\"},\"expiresAt\":\"2020-01-01T00:00:00Z\"}",
                "{\"headers\":{\"Authorization\":\"secret-text-1\"},\"expiresAt\":\"soon\"}")) {
            Files.writeString(folder.resolve("printed"), "cat <<'END'\n" + printed + "\nEND\n");
            try (ServedHere gateway = served()) {
                assertThat(text(gateway.call("one__echo")))
                        .as(printed)
                        .contains("headersHelper of one")
                        .doesNotContain("secret-text-1");
            }
        }
    }
}
