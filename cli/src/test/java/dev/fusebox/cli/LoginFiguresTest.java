package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.FixtureClient;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.oauth.LoginFlow;
import dev.fusebox.oauth.LoginListener;
import dev.fusebox.oauth.Logins;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What logins cost: gateways as separate processes, whose servers get an access token from a login or the same kind of
/// token from a configured header. The property `login.rounds` sets how often each is measured, and `login.launcher`
/// the
/// launcher of a built application to measure in place of the one of the tests.
///
/// Over five seconds: starts four gateways and more, and measures.
@Tag("load")
@Timeout(600)
class LoginFiguresTest {
    private static final Platform PLATFORM = Platform.system();
    private static final Pattern SERVING = Pattern.compile("serving on (http://\\S+)");
    private static final int ROUNDS = Integer.getInteger("login.rounds", 3);
    private static final String LAUNCHER = System.getProperty("login.launcher", "");
    private static final int CALLS = 500;
    private static final int SERVERS = 20;
    private static final Duration LONG_LIFE = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private final List<ProtectedServer> servers = new ArrayList<>();
    private AuthorizationServer issuer;

    @BeforeEach
    void logIn() throws Exception {
        issuer = AuthorizationServer.start();
        issuer.setAccessTokenLifetime(LONG_LIFE);
        issuer.addClient(FixtureClient.withSecret("robot", "robot-secret-1", FixtureClient.Method.BASIC));
        Path tokens = Files.createDirectories(folder.resolve("home")).resolve("tokens");
        try (Logins logins = Logins.open(PLATFORM, tokens, OutboundSettings.defaults(), LoginListener.NONE)) {
            for (int i = 0; i < SERVERS; i++) {
                ProtectedServer server = ProtectedServer.start(issuer);
                servers.add(server);
                LoginSettings settings = LoginSettings.of("s" + i, server.uri());
                TokenRecord _ =
                        logins.flow(settings).inBrowser(new LoginFlow.Wish(null, Set.of()), new VisitingPerson());
            }
        }
    }

    @AfterEach
    void close() {
        servers.forEach(ProtectedServer::close);
        issuer.close();
    }

    // ---- Gateways

    /// A gateway as a separate process.
    private record Gateway(Process process, String address) implements AutoCloseable {
        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }

        void call(int server) {
            JsonView answer = answer(server);
            assertThat(answer.path("result", "content")).as(answer.json()).isNotNull();
            assertThat(answer.path("result", "isError")).as(answer.json()).isNull();
        }

        boolean isAnswered(int server) {
            return answer(server).path("result", "isError") == null;
        }

        private JsonView answer(int server) {
            String tool = "s" + server + "__echo";
            try {
                HttpURLConnection post =
                        (HttpURLConnection) URI.create(address).toURL().openConnection();
                post.setDoOutput(true);
                post.setReadTimeout(60_000);
                List<String> all = RunningGateway.headers("tools/call", "Mcp-Name", tool);
                for (int i = 0; i < all.size(); i += 2) {
                    post.setRequestProperty(all.get(i), all.get(i + 1));
                }
                String members = RunningGateway.toolCall(tool, "{\"text\":\"hello\"}");
                try (OutputStream out = post.getOutputStream()) {
                    out.write(RunningGateway.body("tools/call", members).getBytes(UTF_8));
                }
                try (InputStream in = post.getInputStream()) {
                    return RunningGateway.read(new String(in.readAllBytes(), UTF_8));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        double residentMegabytes() throws IOException {
            Pattern resident = Pattern.compile("VmRSS:\\s+(\\d+) kB");
            Matcher matcher = resident.matcher(Files.readString(Path.of("/proc/" + process.pid() + "/status")));
            assertThat(matcher.find()).isTrue();
            return Long.parseLong(matcher.group(1)) / 1024.0;
        }
    }

    private Gateway serve(String config, Map<String, String> environment) throws IOException {
        Path file = Files.writeString(Files.createTempFile(folder, "config", ".json"), config);
        Path errors = Files.createTempFile(folder, "err", "");
        ProcessBuilder builder = new ProcessBuilder(
                        command("serve", "--config", file.toString(), "--expose", "proxy", "--transport", "http"))
                .redirectError(errors.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        eventually("the gateway serves", () -> assertThat(read(errors)).containsPattern(SERVING));
        Matcher serving = SERVING.matcher(read(errors));
        assertThat(serving.find()).isTrue();
        return new Gateway(process, serving.group(1));
    }

    private static List<String> command(String... words) {
        return LAUNCHER.isEmpty()
                ? Launched.command(words)
                : Stream.concat(Stream.of(LAUNCHER), Stream.of(words)).toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// With a login to each server.
    private Gateway withLogins(int count) throws IOException {
        return serve(config(count, false), Map.of("FUSEBOX_HOME", "" + folder.resolve("home")));
    }

    /// With an `Authorization` header for each server.
    private Gateway withHeaders(int count) throws IOException {
        return serve(config(count, true), Map.of("FUSEBOX_HOME", "" + folder.resolve("other")));
    }

    private String config(int count, boolean hasHeaders) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"s" + i + "\":{\"url\":\"" + servers.get(i).uri() + "\""
                        + (hasHeaders ? ",\"headers\":{\"Authorization\":\"Bearer " + token(i) + "\"}" : "") + "}")
                .collect(Collectors.joining(",", "{\"mcpServers\":{", "},\"http\":{\"port\":0}}"));
    }

    /// A new access token, obtained by client credentials.
    private String token(int server) {
        try {
            HttpURLConnection post = (HttpURLConnection)
                    URI.create(issuer.issuer() + "/token").toURL().openConnection();
            post.setDoOutput(true);
            post.setRequestProperty("Authorization", "Basic cm9ib3Q6cm9ib3Qtc2VjcmV0LTE=");
            post.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
            String resource = URLEncoder.encode(servers.get(server).uri().toString(), UTF_8);
            try (OutputStream out = post.getOutputStream()) {
                out.write(("grant_type=client_credentials&resource=" + resource).getBytes(UTF_8));
            }
            try (InputStream in = post.getInputStream()) {
                JsonView answer = RunningGateway.read(new String(in.readAllBytes(), UTF_8));
                return Objects.requireNonNull(answer.string("access_token"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- Figures

    private static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private interface Opening {
        Gateway open() throws IOException;
    }

    /// From the start of the process to the answer of the first call.
    private static double firstAnswer(Opening opening) throws IOException {
        long begun = PLATFORM.ticker().nanos();
        try (Gateway gateway = opening.open()) {
            gateway.call(0);
            return (PLATFORM.ticker().nanos() - begun) / 1e6;
        }
    }

    @Test
    void login_costs_little_at_the_start() throws Exception {
        List<Double> logins = new ArrayList<>();
        List<Double> headers = new ArrayList<>();
        for (int i = 0; i <= ROUNDS; i++) {
            double withHeader = firstAnswer(() -> withHeaders(1));
            double withLogin = firstAnswer(() -> withLogins(1));
            // The first start makes the startup cache.
            if (i > 0) {
                headers.add(withHeader);
                logins.add(withLogin);
            }
        }
        System.out.printf(
                "figures: start to first answer, medians of %d: %.0f ms with a header, %.0f ms with a login%n",
                ROUNDS, median(headers), median(logins));
        assertThat(median(logins)).isLessThan(median(headers) * 1.5 + 100);
    }

    private static double halfOf(Gateway gateway, int servers) {
        double[] micros = new double[CALLS];
        for (int i = 0; i < CALLS; i++) {
            long begun = PLATFORM.ticker().nanos();
            gateway.call(i % servers);
            micros[i] = (PLATFORM.ticker().nanos() - begun) / 1e3;
        }
        Arrays.sort(micros);
        return micros[CALLS / 2];
    }

    @Test
    void twenty_logins_cost_little_memory_and_calls_little_time() throws Exception {
        try (Gateway byLogin = withLogins(SERVERS);
                Gateway byHeader = withHeaders(SERVERS)) {
            List<Double> logins = new ArrayList<>();
            List<Double> headers = new ArrayList<>();
            for (int i = 0; i < 2 * ROUNDS; i++) {
                headers.add(halfOf(byHeader, SERVERS));
                logins.add(halfOf(byLogin, SERVERS));
            }
            // The first rounds are slow, since nothing is compiled yet.
            double call = median(logins.subList(ROUNDS, 2 * ROUNDS));
            double plain = median(headers.subList(ROUNDS, 2 * ROUNDS));
            System.out.printf(
                    "figures: %d servers, call p50 %.0f us with a header, %.0f us with a login; memory %.1f MB with"
                            + " headers, %.1f MB with logins%n",
                    SERVERS, plain, call, byHeader.residentMegabytes(), byLogin.residentMegabytes());
            assertThat(call).isLessThan(plain * 1.3 + 100);
            assertThat(byLogin.residentMegabytes()).isLessThan(byHeader.residentMegabytes() + 40);
        }
    }

    @Test
    void running_gateway_answers_calls_soon_after_the_callback() throws Exception {
        String config =
                "{\"mcpServers\":{\"s0\":{\"url\":\"" + servers.getFirst().uri() + "\"}},\"http\":{\"port\":0}}";
        Path file = Files.writeString(folder.resolve("config.json"), config);
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            Map<String, String> environment = Map.of("FUSEBOX_HOME", "" + folder.resolve("new" + i));
            try (Gateway gateway = serve(config, environment)) {
                assertThat(gateway.isAnswered(0)).isFalse();
                AtomicLong begun = new AtomicLong();
                PersonAtTerminal person = new PersonAtTerminal(file, environment);
                PersonAtTerminal.Printed printed = person.run("s0", url -> {
                    begun.set(PLATFORM.ticker().nanos());
                    String _ = PersonAtTerminal.visit(url);
                    eventually("a call is answered", () -> gateway.isAnswered(0));
                    millis.add((PLATFORM.ticker().nanos() - begun.get()) / 1e6);
                });
                assertThat(printed.exitCode()).as(printed.text()).isZero();
            }
        }
        System.out.printf(
                "figures: from the person's consent to an answered call, median of %d: %.0f ms%n",
                ROUNDS, median(millis));
        assertThat(median(millis)).isLessThan(10_000.0);
    }
}
