package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.AuthorizationSettings;
import dev.fusebox.fixtures.oauth.AuthorizationSettings.Feature;
import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.fixtures.oauth.FixtureClient;
import dev.fusebox.fixtures.oauth.OAuthFault;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.fixtures.oauth.ProtectionSettings.Check;
import dev.fusebox.fixtures.server.LineFault;
import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The findings of `doctor` about logins, with a protected server, an authorization server and a browser. Takes half
/// a minute, because some tokens have to expire first.
@Tag("process")
@Timeout(60)
class DoctorLoginTest {
    private static final String WELL = "";

    private final CapturedOutput output = CapturedOutput.before(new BrowserOfTest());
    private final List<AutoCloseable> opened = new ArrayList<>();

    @TempDir
    private Path home;

    private Platform platform;
    private AuthorizationServer authorization;
    private ProtectedServer server;

    @BeforeEach
    void start() throws Exception {
        platform = Platform.system()
                .withEnvironment(Map.of("FUSEBOX_HOME", home.toString(), "PATH", System.getenv("PATH")));
        restart(AuthorizationSettings.defaults());
    }

    private void restart(AuthorizationSettings settings) throws Exception {
        stop();
        authorization = AuthorizationServer.start(settings);
        opened.add(authorization);
        server = ProtectedServer.start(authorization);
        opened.add(server);
        configure("");
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
        opened.clear();
    }

    /// @param keys of the server, beside its address
    private void configure(String keys) throws IOException {
        configure(keys, "");
    }

    private void configure(String keys, String sections) throws IOException {
        Files.writeString(
                home.resolve("config.json"),
                "{\"mcpServers\": {\"jira\": {\"url\": \"" + server.uri() + "\"" + keys + "}}" + sections + "}");
    }

    private void login() {
        LoginCommand.run(platform, InputStream.nullInputStream(), List.of("jira"), output.next());
    }

    private void always(FaultPoint at, String fault) {
        authorization.faults().always(at, OAuthFault.parse(fault));
    }

    private void next(FaultPoint at, String fault) {
        authorization.faults().next(at, OAuthFault.parse(fault));
    }

    private Path program(String lines) throws IOException {
        Path program = Files.writeString(home.resolve("program"), "#!/bin/sh\n" + lines + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    /// The file of the only login.
    private Path record() throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("tokens"))) {
            return files.filter(file -> file.getFileName().toString().matches("[0-9a-f]{64}\\.json"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /// The number of stored clients.
    private long registered() throws IOException {
        if (!Files.exists(home.resolve("tokens"))) {
            return 0;
        }
        try (Stream<Path> files = Files.list(home.resolve("tokens"))) {
            return files.filter(file -> file.toString().endsWith(".client.json"))
                    .count();
        }
    }

    private void expire() {
        Instant expired = Instant.now().plusSeconds(1);
        eventually("the access token has expired", () -> Instant.now().isAfter(expired));
    }

    private JsonView doctor() {
        new DoctorCommand(platform).run(List.of("--json"), output.next());
        return Objects.requireNonNull(JsonView.of(output.out()).member("servers"))
                .elements()
                .getFirst();
    }

    private static List<JsonView> problems(JsonView examined) {
        return Objects.requireNonNull(examined.member("findings")).elements().stream()
                .filter(finding -> !"ok".equals(finding.string("severity")))
                .toList();
    }

    // ---- One fault each

    /// Sets up one fault.
    interface Setup {
        void in(DoctorLoginTest test) throws Exception;
    }

    /// @param id of the only finding that is not ok; empty for none
    record Row(String name, String id, Setup setup) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Row> rows() {
        return Stream.of(ofLogins(), ofFiles(), ofDiscovery(), ofClients(), ofOthers())
                .flatMap(each -> each);
    }

    private static Stream<Row> ofLogins() {
        AuthorizationSettings brief = AuthorizationSettings.defaults().withAccessTokenLifetime(Duration.ofSeconds(1));
        return Stream.of(
                new Row("no login", "login-required", test -> {}),
                new Row("login", WELL, DoctorLoginTest::login),
                new Row("refreshed login", WELL, test -> {
                    test.restart(brief);
                    test.login();
                    test.expire();
                    test.authorization.setAccessTokenLifetime(Duration.ofHours(1));
                }),
                new Row("expired login without refresh token", "login-expired", test -> {
                    test.restart(brief.without(Feature.REFRESH_TOKENS));
                    test.login();
                    test.expire();
                }),
                new Row("revoked login", "refresh-refused", test -> {
                    test.login();
                    test.authorization.revokeAll();
                }),
                new Row("expired and revoked login", "refresh-refused", test -> {
                    test.restart(brief);
                    test.login();
                    test.authorization.revokeAll();
                    test.expire();
                }),
                new Row("login without offline_access", "offline-access-missing", test -> {
                    test.next(FaultPoint.CODE, "no-refresh-token");
                    test.login();
                }),
                new Row("wrong audience", "audience-wrong", test -> {
                    test.login();
                    test.server.set(settings -> settings.withCheck(Check.REJECT_ALL));
                }),
                new Row("clock five minutes ahead", "clock-off", test -> {
                    test.login();
                    test.shiftClock(Duration.ofMinutes(5));
                }));
    }

    private void shiftClock(Duration by) {
        Platform real = platform;
        platform = new Platform(
                real.ticker(),
                () -> real.wallClock().instant().plus(by),
                real.random(),
                real.timers(),
                real.environment(),
                real.processes(),
                real.peerUsers());
    }

    private static Stream<Row> ofFiles() {
        return Stream.of(
                new Row("file open to others", "token-file-unsafe", test -> {
                    test.login();
                    Files.setPosixFilePermissions(test.record(), PosixFilePermissions.fromString("rw-r--r--"));
                }),
                new Row("damaged file", "token-file-unsafe", test -> {
                    test.login();
                    Files.writeString(test.record(), "{\"format\":1");
                }),
                new Row("link in place of the file", "token-file-unsafe", test -> {
                    test.login();
                    Path file = test.record();
                    Path moved = Files.move(file, test.home.resolve("moved"));
                    Files.createSymbolicLink(file, moved);
                }));
    }

    private static Stream<Row> ofDiscovery() {
        return Stream.of(
                new Row(
                        "no metadata",
                        "resource-metadata-missing",
                        test -> test.server.set(settings -> settings.withMetadataAt())),
                new Row(
                        "metadata of another resource",
                        "resource-mismatch",
                        test -> test.server.set(settings -> settings.withResource("http://other.example/mcp"))),
                new Row("no S256", "pkce-missing", test -> test.always(FaultPoint.METADATA, "no-s256")),
                new Row("wrong issuer", "issuer-invalid", test -> test.always(FaultPoint.METADATA, "wrong-issuer")),
                new Row("other issuer configured", "issuer-changed", test -> {
                    test.configure(", \"oauth\": {\"issuer\": \"http://127.0.0.1:9/other\"}");
                }),
                new Row("other issuer since the login", "issuer-changed", test -> {
                    test.login();
                    AuthorizationServer other = AuthorizationServer.start();
                    test.opened.add(other);
                    test.server.set(settings -> settings.withIssuers(List.of(other.issuer())));
                }),
                new Row(
                        "issuer down",
                        "issuer-down",
                        test -> test.authorization.line().set(new LineFault.Refused())),
                new Row("issuer down after the expiry", "issuer-down", test -> {
                    test.restart(AuthorizationSettings.defaults().withAccessTokenLifetime(Duration.ofSeconds(1)));
                    test.login();
                    test.authorization.line().set(new LineFault.Refused());
                    test.expire();
                }),
                new Row("issuer down before the expiry", "issuer-down", test -> {
                    test.login();
                    test.authorization.line().set(new LineFault.Refused());
                }));
    }

    private static Stream<Row> ofClients() {
        return Stream.of(
                new Row("no way to register", "registration-missing", test -> {
                    test.restart(AuthorizationSettings.defaults().without(Feature.REGISTRATION));
                }),
                new Row(
                        "registration refused",
                        "registration-refused",
                        test -> test.always(FaultPoint.REGISTER, "status=403")),
                new Row("registration refused at the login", "registration-refused", test -> {
                    test.next(FaultPoint.REGISTER, "error=invalid_client_metadata");
                    test.login();
                }),
                new Row("redirect refused at the login", "redirect-refused", test -> {
                    test.next(FaultPoint.REGISTER, "error=invalid_redirect_uri");
                    test.login();
                }),
                new Row("wrong secret", "registration-refused", test -> {
                    test.authorization.addClient(
                            FixtureClient.withSecret("robot", "robot-secret-1", FixtureClient.Method.BASIC));
                    test.configure(", \"oauth\": {\"clientId\": \"robot\", \"clientSecret\": \"robot-secret-2\","
                            + " \"grant\": \"client_credentials\"}");
                }),
                new Row("client credentials", WELL, test -> {
                    test.authorization.addClient(
                            FixtureClient.withSecret("robot", "robot-secret-1", FixtureClient.Method.BASIC));
                    test.configure(", \"oauth\": {\"clientId\": \"robot\", \"clientSecret\": \"robot-secret-1\","
                            + " \"grant\": \"client_credentials\"}");
                }));
    }

    private static Stream<Row> ofOthers() {
        return Stream.of(
                new Row("logins turned off", "http-401", test -> test.configure(", \"oauth\": false")),
                new Row("locked keyring", "keyring-locked", test -> {
                    Path program = test.program("echo 'the keyring is locked' >&2; exit 3");
                    test.configure(
                            ", \"headers\": {\"X-Key\": \"${secret:key}\"}",
                            ", \"credentials\": {\"store\": \"command\", \"command\": [\"" + program + "\"]}");
                }),
                new Row("failing program for headers", "headers-helper-failed", test -> {
                    Path program =
                            test.program("echo run >> '" + test.home + "/runs'; echo 'not logged in' >&2; exit 1");
                    test.configure(", \"headersHelper\": \"" + program + "\"");
                }));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void each_fault_has_its_finding_and_no_other(Row row) throws Exception {
        row.setup().in(this);
        long registered = registered();
        JsonView examined = doctor();
        List<JsonView> problems = problems(examined);
        assertThat(problems.stream().map(finding -> finding.string("id")))
                .as(examined.json())
                .containsExactlyElementsOf(row.id().isEmpty() ? List.of() : List.of(row.id()));
        for (JsonView finding : problems) {
            assertThat(finding.string("remedy")).as(finding.json()).isNotBlank();
            assertThat(Path.of("..", finding.string("help"))).exists();
        }
        assertThat(registered()).isEqualTo(registered);
        assertThat(authorization.observed().secrets())
                .allSatisfy(secret -> assertThat(output.out()).doesNotContain(secret));
    }

    // ---- What else is told

    private String text(String... words) {
        new DoctorCommand(platform).run(List.of(words), output.next());
        return output.out();
    }

    @Test
    void login_is_described_and_refreshed_if_it_has_expired() throws Exception {
        restart(AuthorizationSettings.defaults().withAccessTokenLifetime(Duration.ofSeconds(1)));
        login();
        expire();
        authorization.setAccessTokenLifetime(Duration.ofHours(1));
        assertThat(text())
                .contains("  ✓ auth: logged in, scopes files:read offline_access, access token until ")
                .contains("renewed by refresh token; the access token was refreshed just now")
                .endsWith("✓ all 1 server(s) healthy\n");
        assertThat(text()).contains("  ✓ auth: logged in").doesNotContain("just now");
        assertThat(text("--config-only")).contains("  ✓ auth: logged in");
    }

    @Test
    void failing_program_for_headers_runs_once() throws Exception {
        Path program = program("echo run >> '" + home + "/runs'; echo 'no cloud login' >&2; exit 1");
        configure(", \"headersHelper\": \"" + program + "\"");
        assertThat(text()).contains("sends the headers that " + program + " prints", "no cloud login");
        assertThat(home.resolve("runs")).hasContent("run");
    }

    /// Takes the four seconds after which an examination gives a request up.
    @Test
    void hanging_authorization_server_is_not_waited_for() {
        always(FaultPoint.METADATA, "hang=60000");
        long begun = System.nanoTime();
        assertThat(problems(doctor()).getFirst().string("id")).isEqualTo("issuer-down");
        // Several times the time, for a machine that is busy.
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(25));
    }

    @Test
    void running_gateway_without_login_is_told_the_command() throws Exception {
        try (GatewayCore gateway = gateway();
                AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            call("echo");
            assertThat(text())
                    .contains("✗ gateway: requires_reauth", "[login-required]", "→ `./fusebox login jira` logs in")
                    .doesNotContain("[http-401]");
            login();
            assertThat(text()).contains("✓ gateway: online", "✓ auth: logged in");
            adminSocket.drain();
        }
    }

    @Test
    void tool_that_lacks_a_scope_is_found_through_the_gateway_that_has_seen_it() throws Exception {
        login();
        try (GatewayCore gateway = gateway();
                AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            call("delete");
            assertThat(text())
                    .contains("⚠ auth: delete needs the scope files:write [scope-missing]")
                    .contains("→ `./fusebox login jira --scope 'files:read files:write offline_access'` asks for it");
            adminSocket.drain();
        }
    }

    private void call(String tool) {
        new CallCommand(platform).run(List.of("jira", tool, "{\"text\": \"hi\"}"), output.next());
    }

    private GatewayCore gateway() throws Exception {
        return GatewayWithLogins.open(platform, home.resolve("config.json"));
    }
}
