package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.fixtures.oauth.OAuthFault;
import dev.fusebox.fixtures.oauth.OAuthFaultKind;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.oauth.LoginFlow;
import dev.fusebox.oauth.LoginListener;
import dev.fusebox.oauth.Logins;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.token.FileTokenStore;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenStore;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An authorization server that answers nothing, with the logins to twenty servers: the access tokens of half of
/// them have expired, those of the others are valid. The property `hang.seconds` sets how long each of its requests
/// hangs, the property `hang.calls` how many calls are measured.
///
/// Over five seconds: waits for the expiry of tokens, and measures.
@Tag("load")
@Timeout(600)
class HangingIssuerTest {
    private static final Platform PLATFORM = Platform.system();

    /// Shorter than the limit of the client for a request, so that each request has ended before the next begins.
    private static final int HANG_SECONDS = Integer.getInteger("hang.seconds", 5);

    private static final int CALLS = Integer.getInteger("hang.calls", 1_000);
    private static final int WINDOWS = 3;
    private static final int EACH = 10;
    private static final Duration SHORT_LIFE = Duration.ofSeconds(5);

    /// Long enough to be no noise, and far less than a request to the authorization server takes now.
    private static final Duration AT_ONCE = Duration.ofSeconds(2);

    /// How much slower calls with a valid token may be, beside the noise of the machine.
    private static final double SLOWER = 1.2;

    private static final Duration NOISE = Duration.ofMillis(10);

    @TempDir
    Path folder;

    private final List<ProtectedServer> servers = new ArrayList<>();
    private AuthorizationServer issuer;

    @BeforeEach
    void logIn() throws Exception {
        issuer = AuthorizationServer.start();
        try (Logins logins =
                Logins.open(PLATFORM, folder.resolve("tokens"), OutboundSettings.defaults(), LoginListener.NONE)) {
            for (int i = 0; i < 2 * EACH; i++) {
                if (i == EACH) {
                    issuer.setAccessTokenLifetime(SHORT_LIFE);
                }
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
        eventually("refreshes that were running have ended", this::areAllUnlocked);
        servers.forEach(ProtectedServer::close);
        issuer.close();
    }

    private String config() {
        return IntStream.range(0, servers.size())
                .mapToObj(i -> "\"s" + i + "\":{\"url\":\"" + servers.get(i).uri() + "\",\"timeoutMs\":5000}")
                .collect(Collectors.joining(",", "{\"mcpServers\":{", "},\"discovery\":{\"firstListWaitMs\":1000}}"));
    }

    private void hang() {
        for (FaultPoint point : List.of(FaultPoint.REFRESH, FaultPoint.METADATA)) {
            issuer.faults().always(point, OAuthFault.of(OAuthFaultKind.HANG, HANG_SECONDS * 1_000));
        }
    }

    @Test
    void hanging_issuer_is_asked_once_at_a_time_and_delays_no_call_with_a_valid_token() throws Exception {
        try (ServedHere gateway = ServedHere.withLogins(PLATFORM, folder, config())) {
            eventually("all servers are used", () -> areAllUsed(gateway));
            Duration before = best(() -> percentile99(gateway));
            hang();
            try (Waiting _ = new Waiting(gateway)) {
                eventually("a refresh hangs", () -> issuer.observed().tokenRequestsInFlight() == 1);
                Duration during = best(() -> percentile99(gateway));
                Duration list = longestList(gateway);
                System.out.printf(
                        "figures: issuer hangs %d s, 20 servers: p99 of calls with a valid token %.2f ms, during the"
                                + " hang %.2f ms; longest tools/list %.2f ms; at most %d request at a time%n",
                        HANG_SECONDS,
                        before.toNanos() / 1e6,
                        during.toNanos() / 1e6,
                        list.toNanos() / 1e6,
                        issuer.observed().maxRequestsInFlight());
                assertThat(issuer.observed().maxRequestsInFlight()).isEqualTo(1);
                assertThat(during)
                        .isLessThan(Duration.ofNanos((long) (before.toNanos() * SLOWER))
                                .plus(NOISE));
                assertThat(list).isLessThan(AT_ONCE);
            }
        }
    }

    /// The first list waits for servers whose tools were never known, as long as `discovery.firstListWaitMs` says.
    @Test
    void gateway_that_starts_while_issuer_hangs_lists_tools_of_servers_with_valid_tokens() throws Exception {
        hang();
        long begun = PLATFORM.ticker().nanos();
        eventually("tokens have expired", () -> PLATFORM.ticker().nanos() - begun > SHORT_LIFE.toNanos());
        long started = PLATFORM.ticker().nanos();
        try (ServedHere gateway = ServedHere.withLogins(PLATFORM, folder, config())) {
            eventually(
                    "the valid servers are listed",
                    () -> assertThat(servedServers(gateway)).isEqualTo(EACH));
            Duration first = Duration.ofNanos(PLATFORM.ticker().nanos() - started);
            Duration list = longestList(gateway);
            System.out.printf(
                    "figures: tools of valid servers listed %.0f ms after such a start, longest tools/list after that"
                            + " %.2f ms%n",
                    first.toNanos() / 1e6, list.toNanos() / 1e6);
            assertThat(first).isLessThan(AT_ONCE.multipliedBy(2));
            assertThat(list).isLessThan(AT_ONCE);
            assertThat(issuer.observed().maxRequestsInFlight()).isEqualTo(1);
        }
    }

    private boolean areAllUnlocked() {
        TokenStore store = new FileTokenStore(folder.resolve("tokens"));
        try {
            return store.all().stream().allMatch(stored -> isUnlocked(store, stored));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isUnlocked(TokenStore store, TokenRecord stored) {
        try (TokenStore.Lock lock = store.tryLock(stored.key())) {
            return lock != null;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---- Calls

    private void areAllUsed(ServedHere gateway) {
        for (int i = 0; i < servers.size(); i++) {
            call(gateway, i);
        }
    }

    private static void call(ServedHere gateway, int server) {
        JsonView answer = answer(gateway, server);
        assertThat(answer.path("result", "_meta", "fusebox/error"))
                .as(answer.json())
                .isNull();
        assertThat(answer.path("result", "content")).as(answer.json()).isNotNull();
    }

    private static JsonView answer(ServedHere gateway, int server) {
        try {
            return gateway.call("s" + server + "__echo");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long servedServers(ServedHere gateway) {
        try {
            return Objects.requireNonNull(gateway.tools().path("result", "tools")).elements().stream()
                    .map(tool -> Objects.requireNonNull(tool.string("name")).replaceFirst("__.*", ""))
                    .distinct()
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---- Times

    /// A measurement.
    private interface Measurement {
        Duration measure();
    }

    /// The best of a few windows: noise of the machine only makes one worse.
    private static Duration best(Measurement measurement) {
        Duration best = measurement.measure();
        for (int i = 1; i < WINDOWS; i++) {
            Duration next = measurement.measure();
            best = next.compareTo(best) < 0 ? next : best;
        }
        return best;
    }

    private static Duration percentile99(ServedHere gateway) {
        long[] nanos = new long[CALLS / WINDOWS];
        for (int i = 0; i < nanos.length; i++) {
            long begun = PLATFORM.ticker().nanos();
            call(gateway, i % EACH);
            nanos[i] = PLATFORM.ticker().nanos() - begun;
        }
        Arrays.sort(nanos);
        return Duration.ofNanos(nanos[nanos.length * 99 / 100]);
    }

    private static Duration longestList(ServedHere gateway) {
        Duration longest = Duration.ZERO;
        for (int i = 0; i < 20; i++) {
            long begun = PLATFORM.ticker().nanos();
            assertThat(servedServers(gateway)).isGreaterThanOrEqualTo(EACH);
            Duration took = Duration.ofNanos(PLATFORM.ticker().nanos() - begun);
            longest = took.compareTo(longest) > 0 ? took : longest;
        }
        return longest;
    }

    /// A caller for each server whose token expires. Closing waits for their last calls.
    private static final class Waiting implements AutoCloseable {
        private final AtomicBoolean isOver = new AtomicBoolean();
        private final List<Thread> threads = new ArrayList<>();

        Waiting(ServedHere gateway) {
            for (int i = EACH; i < 2 * EACH; i++) {
                int server = i;
                threads.add(Thread.ofVirtual().start(() -> callUntilOver(gateway, server)));
            }
        }

        private void callUntilOver(ServedHere gateway, int server) {
            while (!isOver.get()) {
                JsonView _ = answer(gateway, server);
                pause();
            }
        }

        private static void pause() {
            try {
                PLATFORM.pause(Duration.ofMillis(100));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            isOver.set(true);
            try {
                for (Thread thread : threads) {
                    thread.join();
                }
            } catch (InterruptedException stopped) {
                throw new AssertionError("interrupted while the callers end", stopped);
            }
        }
    }
}
