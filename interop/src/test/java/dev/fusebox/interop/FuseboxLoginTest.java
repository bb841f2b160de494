package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Logins of Fusebox at a real authorization server, to a server of the official SDK.
///
/// Over five seconds: starts the servers and two to five commands for each test.
@Tag("interop")
@Timeout(300)
class FuseboxLoginTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final String DEVICE = """
            {"clients": [{"client_id": "device", "redirect_uris": [], "response_types": [],
                "token_endpoint_auth_method": "none",
                "grant_types": ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"]}]}""";

    private static final String METADATA = """
            {"metadataDocuments": {"https://client.example/metadata.json": {
                "client_id": "https://client.example/metadata.json", "client_name": "a client",
                "application_type": "native", "redirect_uris": ["http://127.0.0.1/callback"],
                "grant_types": ["authorization_code", "refresh_token"], "token_endpoint_auth_method": "none"}}}""";

    @TempDir
    private Path home;

    /// @param keys of the server, beside its address
    private void configure(ProtectedServer server, String keys) throws IOException {
        Files.writeString(
                home.resolve("config.json"),
                "{\"mcpServers\": {\"work\": {\"url\": \"" + server.url() + "\"" + keys + "}}}");
    }

    private ProcessBuilder fusebox(String... words) {
        List<String> command = new ArrayList<>(JavaProgram.gateway(words));
        ProcessBuilder program = new ProcessBuilder(command);
        program.environment().put("FUSEBOX_HOME", home.toString());
        return program;
    }

    private Run run(String... words) {
        return Run.of(fusebox(words), LIMIT);
    }

    private Run login(ScriptedPerson person) {
        return LoginRun.of(fusebox("login", "work", "--no-browser"), person::authorize);
    }

    @Test
    void person_logs_in_tools_are_called_and_logout_revokes() throws IOException {
        try (ProtectedServer server = ProtectedServer.start()) {
            configure(server, "");
            assertThat(run("call", "work", "whoami").code()).isEqualTo(1);

            assertThat(login(ScriptedPerson.agreeing("alice")).succeeds().out()).contains("logged in to work");

            assertThat(run("call", "work", "whoami").succeeds().out()).contains("alice");
            assertThat(server.observed()).startsWith("registered", "granted authorization_code");
            assertThat(run("logout", "work").succeeds().err()).doesNotContain("may be valid");
            assertThat(server.observed()).contains("revoked");
            assertThat(run("call", "work", "whoami").code()).isEqualTo(1);
        }
    }

    @Test
    void refused_consent_is_a_failure_without_a_stored_login() throws IOException {
        try (ProtectedServer server = ProtectedServer.start()) {
            configure(server, "");
            Run refused = login(ScriptedPerson.refusing("alice"));
            assertThat(refused.code()).isEqualTo(1);
            assertThat(refused.err()).contains("access was denied");
            assertThat(run("login", "--list").succeeds().out()).contains("not logged in");
        }
    }

    @Test
    void expired_token_is_refreshed_and_the_refresh_token_rotates() throws IOException {
        try (ProtectedServer server = ProtectedServer.start("{\"accessTokenSeconds\": 2}")) {
            configure(server, "");
            login(ScriptedPerson.agreeing("alice")).succeeds();
            for (int i = 0; i < 3; i++) {
                assertThat(run("call", "work", "whoami").succeeds().out()).contains("alice");
            }
            assertThat(server.observed())
                    .contains("granted refresh_token")
                    .doesNotContain("refused refresh_token invalid_grant");
        }
    }

    @Test
    void client_with_metadata_document_is_not_registered() throws IOException {
        try (ProtectedServer server = ProtectedServer.start(METADATA)) {
            configure(server, ", \"oauth\": {\"clientMetadataUrl\": \"https://client.example/metadata.json\"}");
            login(ScriptedPerson.agreeing("alice")).succeeds();
            assertThat(server.observed()).startsWith("granted authorization_code");
        }
    }

    @Test
    void login_on_another_device_needs_no_browser_here() throws IOException {
        try (ProtectedServer server = ProtectedServer.start(DEVICE)) {
            configure(server, ", \"oauth\": {\"clientId\": \"device\"}");
            Pattern shown = Pattern.compile("open (\\S+) on any device and enter (\\S+)");
            Run run = LoginRun.of(fusebox("login", "work", "--device"), line -> line, line -> {
                Matcher code = shown.matcher(line);
                if (code.find()) {
                    ScriptedPerson.agreeing("alice").confirmDevice(code.group(1), code.group(2));
                }
            });
            assertThat(run.succeeds().out()).contains("logged in to work");
            assertThat(run("call", "work", "whoami").succeeds().out()).contains("alice");
        }
    }

    @Test
    void revoked_login_names_the_command() throws IOException {
        try (ProtectedServer server = ProtectedServer.start()) {
            configure(server, "");
            login(ScriptedPerson.agreeing("alice")).succeeds();
            server.revokeAll();
            Run refused = run("call", "work", "whoami");
            assertThat(refused.code()).isEqualTo(1);
            assertThat(refused.out() + refused.err()).contains("invalid_grant", "login work");
        }
    }
}
