package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.gateway.Gateway;
import dev.fusebox.gateway.GatewayConfig;
import dev.fusebox.gateway.GatewayOptions;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Calls that need a login, of clients that show links to their users, over real sockets to a protected server.
@Timeout(90)
class LoginFromChatTest {
    private static final int SECONDS = 30;
    private static final String ECHO = "jira__echo";
    private static final String DELETE = "jira__delete";

    /// Calls the tool `echo` of the server.
    private static final String CALL = "mcp_call";

    @TempDir
    private Path folder;

    private AuthorizationServer authorization;
    private ProtectedServer server;

    @BeforeEach
    void start() throws IOException {
        authorization = AuthorizationServer.start();
        server = ProtectedServer.start(authorization);
    }

    @AfterEach
    void stop() {
        server.close();
        authorization.close();
    }

    /// @param keys beside the servers, each with a comma in front
    private String config(String keys) {
        return "{\"mcpServers\":{\"jira\":{\"url\":\"" + server.uri() + "\"}}" + keys + "}";
    }

    private ServedHere served(String keys) throws Exception {
        return ServedHere.withLogins(Platform.system(), folder, config(keys));
    }

    private static JsonView end(FutureTask<JsonView> call) throws Exception {
        return call.get(SECONDS, TimeUnit.SECONDS);
    }

    private static void assertDone(JsonView answer) {
        assertThat(answer.path("result", "content")).as(answer.json()).isNotNull();
        assertThat(answer.path("result", "_meta", "fusebox/error"))
                .as(answer.json())
                .isNull();
    }

    private static void assertLoginRequired(JsonView answer) {
        assertThat(answer.json()).contains("auth_required", "login-required", "./fusebox login jira");
    }

    // ---- Clients with a session

    @Test
    void call_waits_for_login_by_link_and_is_sent_again() throws Exception {
        try (ServedHere gateway = served("")) {
            ElicitingClient client = ElicitingClient.legacy(gateway.uri());
            FutureTask<JsonView> call = client.calling(ECHO);
            JsonView question = client.question();
            assertThat(question.string("method")).isEqualTo("elicitation/create");
            assertThat(question.json())
                    .contains("\"mode\":\"url\"", "\"elicitationId\":", "MCP server jira (127.0.0.1)")
                    .doesNotContain("state=", authorization.issuer());
            URI link = ElicitingClient.link(question);
            assertThat(link.toString()).matches("http://127\\.0\\.0\\.1:\\d+/login/[\\w-]{43}");
            client.answer(question, "accept");

            assertThat(ElicitingClient.visit(link)).contains("Logged in", "jira (127.0.0.1)");

            assertDone(end(call));
            assertThat(client.notifications()).contains("notifications/elicitation/complete");
            assertThat(ElicitingClient.page(link)).contains("Link not valid");
            assertDone(client.call(ECHO));
            assertThat(client.questions()).isZero();
            assertThat(authorization.observed().logins()).isEqualTo(1);
        }
    }

    @Test
    void declined_login_fails_the_call_with_the_command_and_ends_the_link() throws Exception {
        try (ServedHere gateway = served("")) {
            ElicitingClient client = ElicitingClient.legacy(gateway.uri());
            for (String action : List.of("decline", "cancel")) {
                FutureTask<JsonView> call = client.calling(ECHO);
                JsonView question = client.question();
                client.answer(question, action);
                assertLoginRequired(end(call));
                assertThat(ElicitingClient.page(ElicitingClient.link(question))).contains("Link not valid");
            }
            // A new call asks again.
            FutureTask<JsonView> call = client.calling(ECHO);
            JsonView question = client.question();
            client.answer(question, "accept");
            assertThat(ElicitingClient.visit(ElicitingClient.link(question))).contains("Logged in");
            assertDone(end(call));
        }
    }

    @Test
    @Shows("login.ask")
    void gateway_that_never_asks_fails_the_call_at_once() throws Exception {
        try (ServedHere gateway = served(",\"login\":{\"ask\":\"never\"}")) {
            ElicitingClient client = ElicitingClient.legacy(gateway.uri());
            assertLoginRequired(client.call(ECHO));
            assertThat(client.questions()).isZero();
        }
        try (ServedHere gateway = served(",\"login\":{\"ask\":\"elicitation\"}")) {
            ElicitingClient client = ElicitingClient.legacy(gateway.uri());
            FutureTask<JsonView> call = client.calling(ECHO);
            client.answer(client.question(), "decline");
            assertLoginRequired(end(call));
        }
    }

    @Test
    void client_without_links_is_not_asked() throws Exception {
        try (ServedHere gateway = served("")) {
            for (String capabilities : List.of("{}", "{\"elicitation\":{}}", "{\"elicitation\":{\"form\":{}}}")) {
                ElicitingClient client = ElicitingClient.legacy(gateway.uri(), capabilities);
                assertLoginRequired(client.call(ECHO));
                assertThat(client.questions()).isZero();
            }
        }
    }

    @Test
    void calls_of_one_session_wait_for_the_same_login() throws Exception {
        try (ServedHere gateway = served("")) {
            ElicitingClient client = ElicitingClient.legacy(gateway.uri());
            List<FutureTask<JsonView>> calls = new ArrayList<>(List.of(client.calling(ECHO)));
            JsonView question = client.question();
            for (int i = 0; i < 5; i++) {
                calls.add(client.calling(ECHO));
            }
            client.answer(question, "accept");
            assertThat(ElicitingClient.visit(ElicitingClient.link(question))).contains("Logged in");
            for (FutureTask<JsonView> call : calls) {
                assertDone(end(call));
            }
            assertThat(client.questions()).isZero();
            assertThat(authorization.observed().logins()).isEqualTo(1);
        }
    }

    @Test
    void two_sessions_share_one_login_and_the_refusal_of_one_does_not_end_it() throws Exception {
        try (ServedHere gateway = served("")) {
            ElicitingClient one = ElicitingClient.legacy(gateway.uri());
            ElicitingClient other = ElicitingClient.legacy(gateway.uri());
            FutureTask<JsonView> first = one.calling(ECHO);
            JsonView asked = one.question();
            FutureTask<JsonView> second = other.calling(ECHO);
            JsonView askedToo = other.question();
            one.answer(asked, "decline");
            assertLoginRequired(end(first));
            other.answer(askedToo, "accept");
            assertThat(ElicitingClient.visit(ElicitingClient.link(askedToo))).contains("Logged in");
            assertDone(end(second));
            assertThat(authorization.observed().logins()).isEqualTo(1);
        }
    }

    @Test
    void missing_scope_is_asked_for_in_the_same_way() throws Exception {
        try (ServedHere gateway = served("")) {
            ElicitingClient client = ElicitingClient.legacy(gateway.uri());
            FutureTask<JsonView> call = client.calling(DELETE);
            JsonView login = client.question();
            client.answer(login, "accept");
            assertThat(ElicitingClient.visit(ElicitingClient.link(login))).contains("Logged in");
            // The first login does not know which scope the tool needs, and a call asks once.
            assertThat(end(call).json()).contains("auth_required", "scope-missing");

            FutureTask<JsonView> again = client.calling(DELETE);
            JsonView more = client.question();
            client.answer(more, "accept");
            assertThat(ElicitingClient.visit(ElicitingClient.link(more))).contains("Logged in");
            assertDone(end(again));
            assertDone(client.call(ECHO));
        }
    }

    @Test
    void login_goes_on_when_the_call_no_longer_waits() throws Exception {
        try (ServedHere gateway = served(",\"limits\":{\"clientWaitMs\":3000}")) {
            ElicitingClient client = ElicitingClient.legacy(gateway.uri());
            FutureTask<JsonView> call = client.calling(ECHO);
            JsonView question = client.question();
            client.answer(question, "accept");
            assertLoginRequired(end(call));

            assertThat(ElicitingClient.visit(ElicitingClient.link(question))).contains("Logged in");

            assertDone(client.call(ECHO));
            assertThat(client.questions()).isZero();
        }
    }

    @Test
    void unanswered_question_fails_the_call_with_the_command() throws Exception {
        try (ServedHere gateway = served(",\"limits\":{\"clientWaitMs\":1000}")) {
            ElicitingClient client = ElicitingClient.legacy(gateway.uri());
            assertLoginRequired(client.call(ECHO));
            assertThat(client.questions()).isEqualTo(1);
            assertThat(ElicitingClient.page(ElicitingClient.link(client.question())))
                    .contains("Link not valid");
        }
    }

    // ---- Clients without a session

    @Test
    void modern_call_comes_back_and_waits_for_the_login() throws Exception {
        try (ServedHere gateway = served("")) {
            ElicitingClient client = ElicitingClient.modern(gateway.uri());
            JsonView asked = client.call(ECHO, "");
            assertThat(asked.json()).contains("input_required", "elicitation/create", "\"mode\":\"url\"");
            FutureTask<JsonView> again = new FutureTask<>(() -> client.callAgain(ECHO, asked, "accept"));
            Thread.ofVirtual().start(again);
            assertThat(ElicitingClient.visit(ElicitingClient.link(asked))).contains("Logged in");
            assertDone(end(again));
            assertDone(client.call(ECHO, ""));
        }
    }

    @Test
    void modern_call_that_comes_back_after_the_login_is_sent_once() throws Exception {
        try (ServedHere gateway = served("")) {
            ElicitingClient client = ElicitingClient.modern(gateway.uri());
            JsonView asked = client.call(ECHO, "");
            assertThat(ElicitingClient.visit(ElicitingClient.link(asked))).contains("Logged in");
            assertDone(client.callAgain(ECHO, asked, "accept"));
            assertThat(client.callAgain(ECHO, asked, "accept").json()).contains("requestState is invalid");
        }
    }

    @Test
    void modern_call_is_declined() throws Exception {
        try (ServedHere gateway = served("")) {
            ElicitingClient client = ElicitingClient.modern(gateway.uri());
            JsonView asked = client.call(ECHO, "");
            assertLoginRequired(client.callAgain(ECHO, asked, "decline"));
            assertThat(ElicitingClient.page(ElicitingClient.link(asked))).contains("Link not valid");
        }
    }

    // ---- A whole gateway

    @Test
    void link_is_at_the_port_of_the_gateway_and_events_tell_how_logins_have_ended() throws Exception {
        Path file = Files.writeString(folder.resolve("config.json"), config(",\"http\":{\"port\":0}"));
        Platform platform = Platform.system().withEnvironment(Map.of("FUSEBOX_HOME", folder.toString()));
        GatewayOptions options =
                GatewayOptions.defaults().withPlatform(platform).withHome();
        try (Gateway gateway = Gateway.start(GatewayConfig.read(file), options)) {
            URI address = gateway.address();
            ElicitingClient client = ElicitingClient.legacy(address);
            FutureTask<JsonView> call = client.calling(CALL);
            JsonView question = client.question();
            assertThat(ElicitingClient.link(question).getPort()).isEqualTo(address.getPort());
            client.answer(question, "decline");
            assertLoginRequired(end(call));
            eventually(
                    "the end of the login is an event",
                    () -> assertThat(events(address)).contains("mcp.auth.login", "the login was cancelled"));

            assertThat(login(platform, file)).isEqualTo(ExitStatus.DONE);

            eventually(
                    "the login and the recovery are events",
                    () -> assertThat(events(address)).contains("\"result\":\"succeeded\"", "mcp.server.recovered"));
            assertDone(client.call(CALL));
        }
    }

    private static ExitStatus login(Platform platform, Path file) {
        return LoginCommand.run(
                platform,
                InputStream.nullInputStream(),
                List.of("jira", "--config", file.toString()),
                CapturedOutput.before(new BrowserOfTest()).next());
    }

    /// Those so far that are read at once.
    private static String events(URI gateway) {
        StringBuilder read = new StringBuilder();
        try (InputStream in = stream(gateway.resolve("/api/v1/events"))) {
            byte[] some = new byte[1 << 16];
            for (int count = in.read(some); count > 0; count = in.read(some)) {
                read.append(new String(some, 0, count, StandardCharsets.UTF_8));
            }
        } catch (IOException silent) {
            // The stream does not end.
        }
        return read.toString();
    }

    private static InputStream stream(URI address) throws IOException {
        HttpURLConnection stream = (HttpURLConnection) address.toURL().openConnection();
        stream.setRequestProperty("Last-Event-ID", "0");
        stream.setReadTimeout(500);
        return stream.getInputStream();
    }
}
