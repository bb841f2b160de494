package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.AuthorizationSettings;
import dev.fusebox.fixtures.oauth.FaultPlan;
import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.fixtures.oauth.OAuthFault;
import dev.fusebox.fixtures.oauth.OAuthFaultKind;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.fixtures.oauth.RefreshPresentation;
import dev.fusebox.fixtures.oauth.RefreshPresentation.Outcome;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ten gateways with twenty threads each call one server with one login whose access token lives two seconds, at an
/// authorization server that revokes the login when a refresh token is presented twice. The property `race.seconds`
/// sets the length; the long form is ten minutes.
///
/// Over five seconds: a race needs time, and ten gateways start.
@Tag("load")
@Timeout(1_800)
class TokenRaceProcessTest {
    private static final Platform PLATFORM = Platform.system();
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("race.seconds", 12));
    private static final int GATEWAYS = 10;
    private static final int THREADS = 20;
    private static final int LONGEST_PAUSE_MILLIS = 2_000;
    private static final String LOST = "had no answer";

    /// The answer comes before the client gives up after 20 s.
    private static final int SLOW_MILLIS = LENGTH.toSeconds() < 60 ? 5_000 : 15_000;

    @TempDir
    Path folder;

    @Test
    void every_refresh_token_is_presented_once_and_no_call_fails() throws Exception {
        try (Race race = new Race()) {
            race.begin();
            race.run();
            System.out.println(race.figures());
            assertThat(race.failures).isEmpty();
            assertThat(race.logins).hasValue(1);
            assertThat(race.issuer.observed().refreshes().values())
                    .hasSizeGreaterThan((int) LENGTH.toSeconds() / 4)
                    .allSatisfy(presentations -> assertThat(presentations)
                            .extracting(RefreshPresentation::outcome)
                            .containsExactly(Outcome.ROTATED));
        }
    }

    @Test
    void only_a_lost_answer_costs_the_login_and_the_reason_says_so() throws Exception {
        try (Race race = new Race()) {
            race.begin();
            FaultPlan faults = race.issuer.faults();
            faults.percent(FaultPoint.REFRESH, OAuthFault.of(OAuthFaultKind.UNAVAILABLE), 5);
            faults.percent(FaultPoint.REFRESH, OAuthFault.of(OAuthFaultKind.DELAY, SLOW_MILLIS), 5);
            faults.percent(FaultPoint.REFRESH, OAuthFault.of(OAuthFaultKind.RESET), 1);
            // At least one of each, however short the race is.
            faults.next(FaultPoint.REFRESH, OAuthFault.of(OAuthFaultKind.UNAVAILABLE));
            faults.next(FaultPoint.REFRESH, OAuthFault.of(OAuthFaultKind.DELAY, SLOW_MILLIS));
            faults.next(FaultPoint.REFRESH, OAuthFault.of(OAuthFaultKind.RESET));
            race.run();
            System.out.println(race.figures());
            assertThat(race.failures).isEmpty();
            assertThat(race.issuer.observed().unexplainedRepeats()).isEmpty();
            assertThat(race.logins.get() - 1).isLessThanOrEqualTo(faults.occurred(OAuthFaultKind.RESET));
        }
    }

    @Test
    void race_is_as_safe_with_tokens_that_a_program_stores() throws Exception {
        Path program = Files.writeString(folder.resolve("vault"), """
                #!/bin/sh
                cd "$1" || exit 9
                IFS= read -r name; name=${name#name=}
                case "$2" in
                  get) test -f "$name" || exit 1; cat "$name" ;;
                  store) IFS= read -r value; echo "$value" > "$name.$$"; mv "$name.$$" "$name" ;;
                  erase) test -f "$name" || exit 1; rm "$name" ;;
                esac
                """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Path kept = Files.createDirectory(folder.resolve("kept"));
        String credentials =
                ",\"credentials\":{\"store\":\"command\",\"command\":[\"" + program + "\",\"" + kept + "\"]}";
        try (Race race = new Race(credentials)) {
            race.begin();
            race.run();
            System.out.println("with a program: " + race.figures());
            assertThat(race.failures).isEmpty();
            assertThat(race.logins).hasValue(1);
            assertThat(race.issuer.observed().refreshes().values())
                    .hasSizeGreaterThan((int) LENGTH.toSeconds() / 8)
                    .allSatisfy(presentations -> assertThat(presentations)
                            .extracting(RefreshPresentation::outcome)
                            .containsExactly(Outcome.ROTATED));
        }
    }

    /// Gateways with one home, and their clients. Each client is a thread that calls, and pauses.
    private final class Race implements AutoCloseable {
        final AuthorizationServer issuer = AuthorizationServer.start(
                AuthorizationSettings.defaults().withAccessTokenLifetime(Duration.ofSeconds(2)));
        final Map<String, Integer> failures = new ConcurrentHashMap<>();
        final AtomicInteger logins = new AtomicInteger();
        private final ProtectedServer server = ProtectedServer.start(issuer);
        private final AtomicLong calls = new AtomicLong();
        private final AtomicLong callsWithoutLogin = new AtomicLong();
        private final List<WholeGateway> gateways = new ArrayList<>();
        private final List<WholeGateway.Client> clients = new ArrayList<>();
        private final PersonAtTerminal person;

        Race() throws IOException {
            this("");
        }

        /// @param keys of the configuration, after the others
        Race(String keys) throws IOException {
            Path configuration = Files.writeString(
                    folder.resolve("config.json"),
                    "{\"mcpServers\":{\"hosted\":{\"url\":\"" + server.uri() + "\"}},"
                            + "\"telemetry\":{\"logLevel\":\"info\"}" + keys + "}");
            Map<String, String> variables =
                    Map.of("FUSEBOX_HOME", folder.resolve("home").toString());
            person = new PersonAtTerminal(configuration, variables);
            logIn();
            for (int i = 0; i < GATEWAYS; i++) {
                gateways.add(WholeGateway.start(configuration, "stdio", variables));
            }
        }

        private synchronized void logIn() {
            person.logIn("hosted");
            logins.incrementAndGet();
        }

        /// Waits for the gateways to start: each answers one call.
        void begin() {
            for (WholeGateway gateway : gateways) {
                WholeGateway.Client client = gateway.piped(false);
                clients.add(client);
                call(client);
            }
        }

        void run() throws InterruptedException {
            long end = PLATFORM.ticker().nanos() + LENGTH.toNanos();
            List<Thread> threads = new ArrayList<>();
            for (WholeGateway.Client client : clients) {
                for (int i = 0; i < THREADS; i++) {
                    threads.add(Thread.ofVirtual().start(() -> callUntil(end, client)));
                }
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }

        private void callUntil(long end, WholeGateway.Client client) {
            try {
                while (PLATFORM.ticker().nanos() < end) {
                    call(client);
                    int pause = ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_MILLIS);
                    PLATFORM.pause(Duration.ofMillis(pause));
                }
            } catch (InterruptedException | RuntimeException | Error stopped) {
                fail(stopped.toString());
            }
        }

        private void call(WholeGateway.Client client) {
            int known = logins.get();
            JsonView answer = client.call("hosted__echo", "{\"text\":\"hello\"}");
            calls.incrementAndGet();
            JsonView problem = answer.path("result", "_meta", "fusebox/error");
            if (problem == null && answer.path("result", "content") != null) {
                return;
            }
            if (answer.json().contains(LOST)) {
                callsWithoutLogin.incrementAndGet();
                logInAfter(known);
            } else {
                fail(problem == null ? answer.json() : String.valueOf(problem.string("message")));
            }
        }

        private void fail(String message) {
            failures.merge(message, 1, Integer::sum);
        }

        /// The first that needs a login makes it; the others wait.
        private synchronized void logInAfter(int known) {
            if (logins.get() == known) {
                logIn();
            }
        }

        String figures() {
            Map<String, Integer> faults = issuer.faults().occurred();
            return "figures: " + LENGTH.toSeconds() + " s, " + GATEWAYS + " gateways with " + THREADS + " threads: "
                    + calls + " calls, "
                    + failures.values().stream().mapToInt(Integer::intValue).sum() + " failed, " + callsWithoutLogin
                    + " asked for a login after a lost answer; "
                    + issuer.observed().refreshes().size() + " refresh tokens presented, presentations "
                    + issuer.observed().refreshOutcomes() + ", faults " + faults + ", logins " + logins + ", "
                    + server.observed().rejected() + " requests answered 401";
        }

        @Override
        public void close() {
            gateways.forEach(WholeGateway::close);
            server.close();
            issuer.close();
        }
    }
}
