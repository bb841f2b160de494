package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.FixtureClient;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.platform.Platform;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The commands `login` and `logout` with a protected server, an authorization server and a browser.
@Timeout(60)
class LoginCommandTest {
    private final BrowserOfTest browser = new BrowserOfTest();
    private final CapturedOutput output = CapturedOutput.before(browser);

    @TempDir
    private Path home;

    private Platform platform;
    private AuthorizationServer authorization;
    private ProtectedServer server;

    @BeforeEach
    void start() throws IOException {
        platform = Platform.system().withEnvironment(Map.of("FUSEBOX_HOME", home.toString()));
        authorization = AuthorizationServer.start();
        server = ProtectedServer.start(authorization);
        configure("");
    }

    @AfterEach
    void stop() {
        server.close();
        authorization.close();
    }

    /// @param keys of the server, beside its address
    private void configure(String keys) throws IOException {
        Files.writeString(
                home.resolve("config.json"),
                "{\"mcpServers\": {\"jira\": {\"url\": \"" + server.uri() + "\"" + keys + "}}}");
    }

    private ExitStatus login(String... words) {
        return LoginCommand.run(platform, InputStream.nullInputStream(), List.of(words), output.next());
    }

    private ExitStatus call(String tool) {
        return new CallCommand(platform).run(List.of("jira", tool, "{\"text\": \"hi\"}"), output.next());
    }

    private ExitStatus logout() {
        return new LogoutCommand(platform, output.next()).run(List.of("jira"));
    }

    @Test
    void call_without_login_names_the_command_and_succeeds_after_it() {
        assertThat(call("echo")).isEqualTo(ExitStatus.FAILED);
        assertThat(output.out() + output.err()).contains("Authentication failed (HTTP 401)", "./fusebox login jira");

        assertThat(login("jira")).as(output::err).isEqualTo(ExitStatus.DONE);

        assertThat(output.out()).contains("logged in to jira, scopes files:read");
        assertThat(call("echo")).isEqualTo(ExitStatus.DONE);
        assertThat(authorization.observed().logins()).isEqualTo(1);
        eventually("the browser shows the result", () -> !browser.pages().isEmpty());
        assertThat(browser.pages().getFirst()).contains("Logged in", "jira (127.0.0.1)");
    }

    @Test
    void stored_login_is_private_and_contains_the_whole_state() throws IOException {
        login("jira");
        try (Stream<Path> files = Files.list(home.resolve("tokens"))) {
            assertThat(files)
                    .isNotEmpty()
                    .allSatisfy(file ->
                            assertThat(Files.getPosixFilePermissions(file)).hasSize(2));
        }
    }

    @Test
    void missing_scope_concerns_one_tool_and_the_named_login_keeps_the_others() {
        login("jira");
        assertThat(call("delete")).isEqualTo(ExitStatus.FAILED);
        assertThat(output.out() + output.err())
                .contains("needs the scope files:write", "login jira --scope 'files:read files:write offline_access'");
        assertThat(call("echo")).isEqualTo(ExitStatus.DONE);

        assertThat(login("jira", "--scope", "files:write")).isEqualTo(ExitStatus.DONE);

        assertThat(output.out()).contains("files:read files:write");
        assertThat(call("delete")).isEqualTo(ExitStatus.DONE);
        assertThat(authorization.observed().registrations()).isEqualTo(1);
    }

    @Test
    void expired_token_is_refreshed_by_the_next_call() {
        login("jira");
        authorization.expireAccessTokens();
        assertThat(call("echo")).isEqualTo(ExitStatus.DONE);
        assertThat(authorization.observed().logins()).isEqualTo(1);
        assertThat(authorization.observed().refreshes()).hasSize(1);
    }

    @Test
    void logout_revokes_the_tokens_and_deletes_the_login() {
        login("jira");
        assertThat(logout()).isEqualTo(ExitStatus.DONE);
        assertThat(output.out()).contains("logged out of jira");
        assertThat(output.err()).doesNotContain("may be valid");
        assertThat(authorization.observed().paths()).containsKey("/revoke");
        assertThat(call("echo")).isEqualTo(ExitStatus.FAILED);
        assertThat(LoginCommand.run(platform, InputStream.nullInputStream(), List.of("--list"), output.next()))
                .isEqualTo(ExitStatus.DONE);
        assertThat(output.out()).contains("jira  not logged in");
    }

    @Test
    void tokens_of_a_login_can_be_with_a_program() throws IOException {
        Path program = Files.writeString(home.resolve("vault"), """
                #!/bin/sh
                cd "$1" || exit 9
                IFS= read -r name; name=${name#name=}
                case "$2" in
                  get) test -f "$name" || exit 1; cat "$name" ;;
                  store) IFS= read -r value; echo "$value" > "$name" ;;
                  erase) test -f "$name" || exit 1; rm "$name" ;;
                esac
                """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Path vault = Files.createDirectory(home.resolve("kept"));
        Files.writeString(
                home.resolve("config.json"),
                "{\"mcpServers\": {\"jira\": {\"url\": \"" + server.uri() + "\"}}, \"credentials\": {\"store\":"
                        + " \"command\", \"command\": [\"" + program + "\", \"" + vault + "\"]}}");

        assertThat(login("jira")).as(output::err).isEqualTo(ExitStatus.DONE);

        assertThat(vault).isNotEmptyDirectory();
        assertThat(call("echo")).as(output::err).isEqualTo(ExitStatus.DONE);
        authorization.expireAccessTokens();
        assertThat(call("echo")).as(output::err).isEqualTo(ExitStatus.DONE);
        assertThat(authorization.observed().refreshes()).hasSize(1);
        LoginCommand.run(platform, InputStream.nullInputStream(), List.of("--list"), output.next());
        assertThat(output.out()).contains("jira  logged in, scopes files:read");
        assertThat(logout()).as(output::err).isEqualTo(ExitStatus.DONE);
        assertThat(vault).isEmptyDirectory();
    }

    @Test
    void pasted_code_of_another_login_is_not_accepted() {
        InputStream pasted = new ByteArrayInputStream("http://127.0.0.1/callback?code=x&state=y\n".getBytes(UTF_8));
        assertThat(LoginCommand.run(platform, pasted, List.of("jira", "--no-browser"), output.next()))
                .isEqualTo(ExitStatus.DONE);
        assertThat(output.err()).contains("the callback belongs to another login (state)");
    }

    @Test
    void client_credentials_need_no_person() throws IOException {
        authorization.addClient(FixtureClient.withSecret("robot", "robot-secret-1", FixtureClient.Method.BASIC));
        configure(", \"oauth\": {\"clientId\": \"robot\", \"clientSecret\": \"robot-secret-1\","
                + " \"grant\": \"client_credentials\"}");
        assertThat(call("echo")).as(output::err).isEqualTo(ExitStatus.DONE);
        assertThat(browser.opened()).isEmpty();
    }

    @Test
    void login_is_the_probe_of_a_running_gateway() throws Exception {
        try (GatewayCore gateway = gateway();
                AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            assertThat(call("echo")).isEqualTo(ExitStatus.FAILED);
            assertThat(status()).contains("requires_reauth", "login jira");

            assertThat(login("jira")).isEqualTo(ExitStatus.DONE);

            assertThat(output.err())
                    .contains("gateway " + ProcessHandle.current().pid() + ": jira is online");
            assertThat(status()).contains("online").doesNotContain("requires_reauth");
            assertThat(call("echo")).isEqualTo(ExitStatus.DONE);
            adminSocket.drain();
        }
    }

    private String status() {
        new GatewayCommands(platform).status(List.of("--json"), output.next());
        return output.out();
    }

    private GatewayCore gateway() throws Exception {
        return GatewayWithLogins.open(platform, home.resolve("config.json"));
    }
}
