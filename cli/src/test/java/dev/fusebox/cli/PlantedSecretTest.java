package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.fixtures.oauth.FixtureClient;
import dev.fusebox.fixtures.oauth.OAuthFault;
import dev.fusebox.fixtures.oauth.OAuthFaultKind;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.fixtures.oauth.ProtectionSettings.Check;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Logins, refreshes, refusals and a logout, at servers that repeat rejected tokens in their answers: all that the
/// gateway and its commands write is searched for every secret that was used.
///
/// ```
/// server    client                        fails by
///  open     registers itself              a refused refresh (invalid_grant), a refused code
///  secret   ${CLIENT_SECRET}              an unavailable authorization server, a server that rejects every token
///  keyed    private key, client assertion  -, logged out at the end
/// ```
///
/// Over five seconds: starts a gateway and a dozen commands.
@Tag("process")
@Timeout(300)
class PlantedSecretTest {
    private static final Pattern SERVING = Pattern.compile("serving on (http://[^/]+)");
    private static final Pattern STATE = Pattern.compile("state=[^&\\s]+");
    private static final String CLIENT_SECRET = "planted-CLIENT-secret-7f3b91c2d4";

    /// The fixture counts the id of a registered client as a secret, which it is not.
    private static final String CLIENT_ID = "client-";

    /// Parts of this length are long enough to be of use to an attacker, and occur nowhere by chance.
    private static final int PART = 16;

    private static final int ATTEMPTS = 5;

    @TempDir
    Path folder;

    private final Map<String, String> written = new LinkedHashMap<>();
    private final List<ProtectedServer> servers = new ArrayList<>();
    private final Set<String> planted = new LinkedHashSet<>();
    private AuthorizationServer issuer;
    private PersonAtTerminal person;
    private EchoingServer collector;
    private Process gateway;
    private String address;

    @BeforeEach
    void start() throws Exception {
        issuer = AuthorizationServer.start();
        collector = EchoingServer.open();
        for (int i = 0; i < 3; i++) {
            ProtectedServer server = ProtectedServer.start(issuer);
            server.echoAuthorization();
            servers.add(server);
        }
        planted.add(CLIENT_SECRET);
        Path config = Files.writeString(folder.resolve("config.json"), config(keyFile()));
        person = new PersonAtTerminal(config, environment());
        logIn("open");
        logIn("secret");
        logIn("keyed");
        ProcessBuilder serve = launched("serve", "--expose", "proxy", "--transport", "http");
        gateway = serve.redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
        eventually("the gateway is serving", () -> assertThat(log()).containsPattern(SERVING));
        Matcher serving = SERVING.matcher(log());
        assertThat(serving.find()).isTrue();
        address = serving.group(1);
    }

    @AfterEach
    void end() throws Exception {
        if (gateway != null) {
            gateway.destroyForcibly().waitFor();
        }
        servers.forEach(ProtectedServer::close);
        collector.close();
        issuer.close();
    }

    private Map<String, String> environment() {
        return Map.of("CLIENT_SECRET", CLIENT_SECRET, "FUSEBOX_HOME", "" + folder.resolve("home"));
    }

    private Path keyFile() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair keys = generator.generateKeyPair();
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(keys.getPrivate().getEncoded());
        text.lines().forEach(planted::add);
        issuer.addClient(new FixtureClient(
                "keyed-client",
                Optional.empty(),
                FixtureClient.Method.PRIVATE_KEY_JWT,
                List.of("http://127.0.0.1/callback"),
                Optional.of(keys.getPublic())));
        issuer.addClient(new FixtureClient(
                "secret-client",
                Optional.of(CLIENT_SECRET),
                FixtureClient.Method.BASIC,
                List.of("http://127.0.0.1/callback"),
                Optional.empty()));
        Path file = folder.resolve("key.pem");
        Files.writeString(file, "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n");
        return file;
    }

    private String config(Path key) {
        return "{\"mcpServers\":{\"open\":{\"url\":\"" + servers.get(0).uri() + "\"},"
                + "\"secret\":{\"url\":\"" + servers.get(1).uri()
                + "\",\"oauth\":{\"clientId\":\"secret-client\",\"clientSecret\":\"${CLIENT_SECRET}\"}},"
                + "\"keyed\":{\"url\":\"" + servers.get(2).uri()
                + "\",\"oauth\":{\"clientId\":\"keyed-client\",\"privateKey\":\"" + key + "\"}}},"
                + "\"telemetry\":{\"logLevel\":\"debug\",\"otlpEndpoint\":\"http://127.0.0.1:" + collector.port()
                + "/200\"},\"http\":{\"port\":0}}";
    }

    // ---- The test

    @Test
    void no_secret_of_a_login_leaves_the_gateway() throws Exception {
        for (String server : List.of("open", "secret", "keyed")) {
            assertThat(call(server)).doesNotContain("fusebox/error");
        }
        refreshAll();
        refuseRefresh();
        rejectEveryToken();
        loseIssuer();
        refuseCode();
        lookAround();
        lookAtCommands();
        written.put("logout", command("logout", "keyed"));
        written.put("call after logout", call("keyed"));
        lookAtSpans();
        written.put("gateway arguments", arguments(gateway));
        gateway.destroy();
        assertThat(gateway.waitFor(60, TimeUnit.SECONDS)).isTrue();
        written.put("log", log());
        written.put("files", files());

        Set<String> secrets = new LinkedHashSet<>(planted);
        secrets.addAll(issuer.observed().secrets());
        secrets.removeIf(secret -> secret.startsWith(CLIENT_ID));
        System.out.printf("figures: %d secrets, %d texts searched%n", secrets.size(), written.size());
        assertFull();
        assertThat(secrets).hasSizeGreaterThan(20);
        Map<String, List<String>> leaks = new LinkedHashMap<>();
        written.forEach((where, text) -> leaks.put(where, leaks(secrets, text)));
        leaks.values().removeIf(List::isEmpty);
        assertThat(leaks).isEmpty();
    }

    private void logIn(String server) {
        PersonAtTerminal.Printed printed =
                person.run(server, url -> written.put("last page of " + server, PersonAtTerminal.visit(url)));
        assertThat(printed.exitCode()).as(printed.text()).isZero();
        note("login " + server, printed);
    }

    /// The person needs the URL, which contains the state.
    private void note(String name, PersonAtTerminal.Printed printed) {
        written.put(name, STATE.matcher(printed.text()).replaceAll("state=***"));
        written.put(name + ", arguments", printed.processArguments());
    }

    private void refreshAll() throws IOException {
        int before = issuer.observed().refreshes().size();
        issuer.expireAccessTokens();
        for (String server : List.of("open", "secret", "keyed")) {
            String answer = call(server);
            assertThat(answer).doesNotContain("fusebox/error");
        }
        assertThat(issuer.observed().refreshes()).hasSize(before + 3);
    }

    /// A reading of the lists of another server may be first; then that one gets the refusal.
    private void refuseRefresh() throws IOException {
        String answer = "";
        for (int i = 0; i < ATTEMPTS && !answer.contains("auth_required"); i++) {
            issuer.faults().next(FaultPoint.REFRESH, OAuthFault.of(OAuthFaultKind.ERROR));
            issuer.expireAccessTokens();
            answer = call("open");
        }
        written.put("refused refresh", answer);
    }

    private void rejectEveryToken() throws IOException {
        servers.get(1).set(settings -> settings.withCheck(Check.REJECT_ALL));
        written.put("rejected token", call("secret"));
        written.put("rejected token again", call("secret"));
    }

    private void loseIssuer() throws IOException {
        issuer.faults().next(FaultPoint.REFRESH, OAuthFault.of(OAuthFaultKind.RESET));
        issuer.expireAccessTokens();
        written.put("lost answer", call("keyed"));
    }

    private void refuseCode() {
        issuer.faults().next(FaultPoint.CODE, OAuthFault.of(OAuthFaultKind.ERROR));
        PersonAtTerminal.Printed printed =
                person.run("open", url -> written.put("last page of a refused login", PersonAtTerminal.visit(url)));
        assertThat(printed.exitCode()).as(printed.text()).isNotZero();
        note("refused login", printed);
    }

    private void lookAround() throws IOException {
        for (String path : List.of(
                "/",
                "/metrics",
                "/api/v1/servers",
                "/api/v1/servers/open",
                "/api/v1/servers/secret",
                "/api/v1/servers/keyed",
                "/api/v1/log",
                "/api/v1/tools",
                "/api/v1/breakers",
                "/api/v1/stats",
                "/api/v1/health")) {
            written.put("GET " + path, see(path));
        }
        written.put("events", events());
    }

    private void lookAtCommands() throws Exception {
        for (String line : List.of(
                "status",
                "status --json",
                "login --list",
                "login --list --json",
                "login --metadata",
                "logs",
                "logs --json",
                "config check",
                "doctor --json --timeout 60000",
                "doctor --fresh --timeout 60000")) {
            written.put(line, command(line.split(" ", -1)));
        }
    }

    private void lookAtSpans() {
        eventually(
                "traces have reached the collector",
                () -> collector.bodies().stream().anyMatch(body -> body.contains("fusebox")));
        written.put("spans", String.join("\n", collector.bodies()));
    }

    /// Only a search that can find something finds nothing.
    private void assertFull() {
        assertThat(written.get("log")).contains("open", "DEBUG", "WARN");
        assertThat(written.get("refused refresh")).contains("auth_required", "invalid_grant", "login open");
        assertThat(written.get("rejected token again")).contains("auth_required", "login secret");
        assertThat(written.get("events")).contains("mcp.auth.refreshed", "mcp.auth.refresh_failed");
        assertThat(written.get("GET /api/v1/servers")).contains("requires_reauth");
        assertThat(written.get("login open")).contains("logged in to open");
        assertThat(written.get("refused login")).contains("invalid_grant");
        assertThat(written.get("logout")).contains("logged out of keyed");
    }

    private static List<String> leaks(Set<String> secrets, String text) {
        return secrets.stream()
                .flatMap(secret -> forms(secret).filter(text::contains).limit(1).map(part -> secret + ": " + part))
                .toList();
    }

    /// A secret in parts, plain and encoded.
    private static Stream<String> forms(String secret) {
        Stream<String> encoded = Stream.of("", "u", "me")
                .map(before -> Base64.getEncoder().encodeToString((before + secret).getBytes(UTF_8)))
                .map(form -> form.substring(4, form.length() - 4));
        return Stream.concat(Stream.of(secret), encoded)
                .flatMap(form ->
                        IntStream.rangeClosed(0, form.length() - PART).mapToObj(i -> form.substring(i, i + PART)));
    }

    // ---- Ways out

    private ProcessBuilder launched(String... words) {
        List<String> command = new ArrayList<>(Launched.command(words));
        if (!words[0].equals("status") && !words[0].equals("logs")) {
            command.add("--config");
            command.add(person.configuration().toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment());
        return builder;
    }

    private String command(String... words) throws Exception {
        Process process = launched(words).redirectErrorStream(true).start();
        written.put(String.join(" ", words) + ", arguments", arguments(process));
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said;
    }

    private static String arguments(Process process) throws IOException {
        return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("out"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String call(String server) throws IOException {
        String name = server + "__echo";
        String members = RunningGateway.toolCall(name, "{\"text\":\"hello\"}");
        HttpURLConnection post =
                (HttpURLConnection) URI.create(address + "/mcp").toURL().openConnection();
        post.setDoOutput(true);
        post.setReadTimeout(90_000);
        List<String> all = RunningGateway.headers("tools/call", "Mcp-Name", name);
        for (int i = 0; i < all.size(); i += 2) {
            post.setRequestProperty(all.get(i), all.get(i + 1));
        }
        post.getOutputStream().write(RunningGateway.body("tools/call", members).getBytes(UTF_8));
        return RunningGateway.read(body(post)).json();
    }

    private static String body(HttpURLConnection connection) throws IOException {
        try (InputStream in =
                connection.getResponseCode() < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private String see(String path) throws IOException {
        return body((HttpURLConnection) URI.create(address + path).toURL().openConnection());
    }

    /// All that have happened so far.
    private String events() throws IOException {
        HttpURLConnection stream = (HttpURLConnection)
                URI.create(address + "/api/v1/events").toURL().openConnection();
        stream.setRequestProperty("Last-Event-ID", "0");
        stream.setReadTimeout(60_000);
        StringBuilder read = new StringBuilder();
        try (InputStream in = stream.getInputStream()) {
            while (read.indexOf("mcp.auth.refresh_failed") < 0) {
                byte[] some = new byte[1 << 16];
                int count = in.read(some);
                assertThat(count).isPositive();
                read.append(new String(some, 0, count, UTF_8));
            }
        }
        return read.toString();
    }

    /// What it has left behind, without the stored logins.
    private String files() throws IOException {
        Path tokens = folder.resolve("home").resolve("tokens");
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder.resolve("home"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.startsWith(tokens)) {
                    all.append(file).append(Files.readString(file, ISO_8859_1));
                }
            }
        }
        return all.toString();
    }
}
