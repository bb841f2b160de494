package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FaultProxy;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.LineFault;
import dev.fusebox.fixtures.server.ServerScript;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The effect of the settings in `breaker`, `pool` and `toolBreaker`, as a client observes it.
@Tag("process")
@Timeout(120)
class BreakerKeysTest {
    /// Fails at once, and every time.
    private static final String NOWHERE = "\"command\":\"/nowhere\"";

    private static final int MOST = 12;

    /// The first is enough unless the machine stalls.
    private static final int ATTEMPTS = 5;

    /// A little longer than the shortest window there is.
    private static final Duration WINDOW = Duration.ofMillis(12);

    private static Configured nowhere(String breaker) {
        return Configured.of(NOWHERE + ",\"breaker\":{" + breaker + "}", "");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            value = {
                "^^,5",
                "^\"failureThreshold\":2^,2",
                "^\"preset\":\"openab\"^,3",
                "^\"preset\":\"metamcp\"^,5",
                "^\"mode\":\"window\"^,10",
                "^\"mode\":\"window\",\"minimumCalls\":7^,7",
                "^\"mode\":\"window\",\"minimumCalls\":4,\"failureThreshold\":null,\"failureRate\":0.5^,4",
                "^\"mode\":\"window\",\"minimumCalls\":4,\"failureThreshold\":8,\"failureRate\":null^,8",
            })
    @Shows({"breaker.failureThreshold", "breaker.preset", "breaker.mode", "breaker.minimumCalls", "breaker.failureRate"
    })
    void failure_threshold_opens_breaker(String breaker, int failures) {
        try (Configured gateway = nowhere(breaker)) {
            assertThat(gateway.callsBefore("breaker_open", "any", MOST)).isEqualTo(failures);
        }
    }

    /// Time is what a window needs to forget.
    private static void passes(Duration time, Configured gateway) {
        throughout(
                "the gateway greets clients", time, () -> gateway.initialize().status() == 200);
    }

    @Test
    @Shows("breaker.windowMs")
    void short_window_drops_old_failures() {
        String window = "\"mode\":\"window\",\"minimumCalls\":3,\"failureThreshold\":3,\"windowMs\":";
        try (Configured brief = nowhere(window + 10);
                Configured usual = nowhere(window + 300_000)) {
            for (int i = 0; i < 4; i++) {
                brief.call("any", "{}");
                usual.call("any", "{}");
                passes(WINDOW, brief);
            }
            assertThat(brief.code("any", "{}")).isEqualTo("connect_failed");
            assertThat(usual.code("any", "{}")).isEqualTo("breaker_open");
        }
    }

    @Test
    @Shows({"pool.failureThreshold", "pool.cooldownMs", "breaker.cooldownMs"})
    void server_setting_overrides_pool_setting() {
        String pool = ",\"pool\":{\"failureThreshold\":2,\"cooldownMs\":500000}";
        try (Configured ofPool = Configured.of(NOWHERE, pool);
                Configured ofServer =
                        Configured.of(NOWHERE + ",\"breaker\":{\"failureThreshold\":3,\"cooldownMs\":900000}", pool)) {
            assertThat(ofPool.callsBefore("breaker_open", "any", MOST)).isEqualTo(2);
            assertThat(ofPool.retryAfterMs("any")).isBetween(400_000L, 500_000L);
            assertThat(ofServer.callsBefore("breaker_open", "any", MOST)).isEqualTo(3);
            assertThat(ofServer.retryAfterMs("any")).isBetween(800_000L, 900_000L);
        }
    }

    /// How long it is open after a probe has failed: the longest of some times.
    private static long longestAgain(String breaker, int times) {
        try (Configured gateway = nowhere("\"failureThreshold\":1,\"cooldownMs\":40," + breaker)) {
            long longest = 0;
            gateway.call("any", "{}");
            for (int i = 0; i < times; i++) {
                eventually(
                        "a call to any ends with connect_failed",
                        () -> assertThat(gateway.code("any", "{}")).isEqualTo("connect_failed"));
                longest = Math.max(longest, gateway.retryAfterMs("any"));
            }
            return longest;
        }
    }

    @Test
    @Shows({"breaker.cooldownGrowth", "breaker.maxCooldownMs", "breaker.jitter"})
    void cooldown_grows_by_configured_factor() {
        assertThat(longestAgain("\"cooldownGrowth\":1,\"jitter\":0", 5)).isLessThanOrEqualTo(40);
        assertThat(longestAgain("\"cooldownGrowth\":100,\"jitter\":0", 1)).isBetween(41L, 4_000L);
        assertThat(longestAgain("\"cooldownGrowth\":100,\"jitter\":0,\"maxCooldownMs\":60", 2))
                .isLessThanOrEqualTo(60);
        assertThat(LongStream.generate(() -> longestAgain("\"cooldownGrowth\":100,\"jitter\":1", 1))
                        .limit(10)
                        .max()
                        .orElseThrow())
                .isBetween(4_001L, 8_000L);
    }

    // ---- A server that comes back

    /// Before a server whose line a test breaks and mends.
    private static Configured onLine(URI server, FaultProxy line, String breaker) {
        String url = "\"url\":\"" + line.through(server) + "\",\"era\":\"modern\",\"retry\":{\"maxAttempts\":1}";
        return Configured.of(
                url + ",\"breaker\":{\"failureThreshold\":3,\"cooldownMs\":50,\"jitter\":0," + breaker + "}", "");
    }

    /// More calls than it takes, since an outage of 50 ms may be over before it has refused one.
    private static void tripAndMend(Configured gateway, FaultProxy line) {
        line.set(new LineFault.Refused());
        for (int i = 0; i < 4; i++) {
            assertThat(gateway.code("fail", "{}")).isIn("connect_failed", "breaker_open");
        }
        line.set(new LineFault.None());
    }

    private static FixtureServer server() throws IOException {
        return FixtureServer.start(ServerScript.faultless().withEra(Era.MODERN));
    }

    @ParameterizedTest
    @CsvSource({"1,connect_failed", "2,breaker_open"})
    @Shows("breaker.successesToClose")
    void successes_to_close_is_respected(int successes, String afterwards) throws IOException {
        try (FixtureServer server = server();
                FaultProxy line = FaultProxy.to(server.uri().getPort());
                Configured gateway = onLine(
                        server.uri(),
                        line,
                        // A second outage is long enough to be seen.
                        "\"cooldownGrowth\":100,\"halfOpenMaxCalls\":1,\"successesToClose\":" + successes)) {
            tripAndMend(gateway, line);
            eventually(
                    "a call to echo succeeds",
                    () -> assertThat(gateway.code("echo", "{}")).isEqualTo("done"));
            line.set(new LineFault.Refused());
            gateway.call("fail", "{}");
            assertThat(gateway.code("fail", "{}")).isEqualTo(afterwards);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,breaker_open", "2,done"})
    @Shows("breaker.halfOpenMaxCalls")
    void half_open_max_calls_limits_concurrent_probes(int probes, String second) throws Exception {
        isSeenInOneOf(ATTEMPTS, () -> isSeenBesideProbe(probes, second));
    }

    private static boolean isSeenBesideProbe(int probes, String second) throws Exception {
        try (HeldServer server = new HeldServer();
                FaultProxy line = FaultProxy.to(server.uri().getPort());
                Configured gateway = onLine(
                        server.uri(),
                        line,
                        "\"cooldownGrowth\":1,\"successesToClose\":2,\"halfOpenMaxCalls\":" + probes)) {
            tripAndMend(gateway, line);
            return isSeenBesideProbe(server, gateway, "echo", second);
        }
    }

    /// A probe that has taken a second lets another one pass, so only a call within that second shows the limit.
    private static final long EXTRA_PROBE_NANOS = 1_000_000_000;

    /// Holds a probe, calls the tool beside it, and lets the probe end.
    ///
    /// @param second what the call beside the probe comes to
    /// @return false if the machine was too slow for the call to show that
    private static boolean isSeenBesideProbe(HeldServer server, Configured gateway, String tool, String second)
            throws Exception {
        AtomicReference<CompletableFuture<String>> first = new AtomicReference<>();
        AtomicReference<String> beside = new AtomicReference<>();
        Duration taken = Configured.time(() -> {
            first.set(server.holdOnceAdmitted(gateway, tool));
            beside.set(gateway.code(tool, "{}"));
        });
        boolean isInTime = taken.toNanos() < EXTRA_PROBE_NANOS;
        if (isInTime) {
            assertThat(beside).hasValue(second);
        }
        server.let();
        assertThat(first.get().get()).isEqualTo("done");
        return isInTime;
    }

    private interface Attempt {
        boolean isSeen() throws Exception;
    }

    /// Each attempt has a gateway of its own.
    private static void isSeenInOneOf(int attempts, Attempt attempt) throws Exception {
        boolean isSeen = false;
        for (int i = 0; i < attempts && !isSeen; i++) {
            isSeen = attempt.isSeen();
        }
        assertThat(isSeen).as("a call came within a second of the probe").isTrue();
    }

    @ParameterizedTest
    @CsvSource({"300,0.3,breaker_open", "60000,0.3,done", "300,1,done"})
    @Shows({"breaker.slowCallMs", "breaker.slowCallRate"})
    void slow_call_rate_opens_breaker(int slowMs, double rate, String afterwards) throws IOException {
        String window = "\"breaker\":{\"mode\":\"window\",\"minimumCalls\":4,\"failureThreshold\":null,"
                + "\"failureRate\":1,\"slowCallMs\":" + slowMs + ",\"slowCallRate\":" + rate + "}";
        try (FixtureServer server = server();
                Configured gateway =
                        Configured.of("\"url\":\"" + server.uri() + "\",\"era\":\"modern\"," + window, "")) {
            eventually("tools are listed", () -> assertThat(gateway.tools()).isNotEmpty());
            // A busy machine may make one of these slow, too.
            for (int i = 0; i < 3; i++) {
                gateway.call("echo", "{}");
            }
            for (int i = 0; i < 5; i++) {
                gateway.call("slow", "{\"ms\":400}");
            }
            assertThat(gateway.code("echo", "{}")).isEqualTo(afterwards);
        }
    }

    // ---- Single tools

    private static Configured tools(URI server, String toolBreaker) {
        Configured gateway = Configured.of(
                "\"url\":\"" + server + "\",\"era\":\"modern\",\"toolBreaker\":{" + toolBreaker + "}", "");
        eventually("tool one__fail is listed", () -> assertThat(gateway.tools()).contains("one__fail"));
        return gateway;
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            value = {
                "^\"countToolErrors\":true^,5",
                "^\"countToolErrors\":false^,12",
                "^\"countToolErrors\":true,\"enabled\":false^,12",
                "^\"countToolErrors\":true,\"timeoutThreshold\":7^,5",
                "^\"countToolErrors\":true,\"timeoutThreshold\":7,\"minimumCalls\":20^,7",
                "^\"countToolErrors\":true,\"timeoutThreshold\":2,\"minimumCalls\":4^,2",
                "^\"countToolErrors\":true,\"timeoutThreshold\":9,\"minimumCalls\":4^,4",
            })
    @Shows({
        "toolBreaker.countToolErrors",
        "toolBreaker.enabled",
        "toolBreaker.timeoutThreshold",
        "toolBreaker.minimumCalls"
    })
    void tool_failures_open_tool_breaker(String toolBreaker, int failures) throws IOException {
        try (FixtureServer server = server();
                Configured gateway = tools(server.uri(), toolBreaker)) {
            assertThat(gateway.callsBefore("tool_breaker_open", "fail", MOST)).isEqualTo(failures);
            assertThat(gateway.code("echo", "{}")).isEqualTo("done");
        }
    }

    private static final String SECOND = "\"countToolErrors\":true,\"timeoutThreshold\":2,\"minimumCalls\":2,";

    @ParameterizedTest
    @CsvSource({"10,done", "300000,tool_breaker_open"})
    @Shows("toolBreaker.windowMs")
    void short_window_drops_old_tool_failures(int windowMs, String third) throws IOException {
        String byShare = "\"countToolErrors\":true,\"timeoutThreshold\":1000,\"minimumCalls\":2,";
        try (FixtureServer server = server();
                Configured gateway = tools(server.uri(), byShare + "\"windowMs\":" + windowMs)) {
            for (int i = 0; i < 2; i++) {
                gateway.call("fail", "{}");
                passes(WINDOW, gateway);
            }
            assertThat(gateway.code("fail", "{}")).isEqualTo(third);
        }
    }

    @Test
    @Shows("toolBreaker.cooldownMs")
    void tool_breaker_cooldown_is_respected() throws IOException {
        try (FixtureServer server = server();
                Configured gateway = tools(server.uri(), SECOND + "\"cooldownMs\":200000")) {
            assertThat(gateway.callsBefore("tool_breaker_open", "fail", MOST)).isEqualTo(2);
            assertThat(gateway.retryAfterMs("fail")).isBetween(150_000L, 200_000L);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,tool_breaker_open", "2,done"})
    @Shows("toolBreaker.halfOpenMaxCalls")
    void tool_breaker_half_open_max_calls_limits_concurrent_probes(int probes, String second) throws Exception {
        isSeenInOneOf(ATTEMPTS, () -> isSeenBesideProbeOfTool(probes, second));
    }

    private static boolean isSeenBesideProbeOfTool(int probes, String second) throws Exception {
        try (HeldServer server = new HeldServer();
                Configured gateway = tools(server.uri(), SECOND + "\"cooldownMs\":50,\"halfOpenMaxCalls\":" + probes)) {
            assertThat(gateway.code("fail", "{}")).isEqualTo("done");
            assertThat(gateway.code("fail", "{}")).isEqualTo("done");
            return isSeenBesideProbe(server, gateway, "fail", second);
        }
    }

    @ParameterizedTest
    @CsvSource({"0.5,tool_breaker_open", "0.9,done"})
    @Shows("toolBreaker.failureRate")
    void failure_rate_of_timeouts_opens_tool_breaker(double rate, String afterwards) throws IOException {
        String members = ",\"timeoutMs\":1500,\"era\":\"modern\",\"toolBreaker\":{\"minimumCalls\":4,\"failureRate\":";
        try (FixtureServer server = server();
                Configured gateway = Configured.of("\"url\":\"" + server.uri() + "\"" + members + rate + "}", "")) {
            eventually("the tools are listed", () -> assertThat(gateway.tools()).contains("one__slow"));
            for (int i = 0; i < 2; i++) {
                // A busy machine may be late with one of these, too, which changes no rate enough.
                assertThat(gateway.code("slow", "{\"ms\":1}")).isIn("done", "timeout");
                assertThat(gateway.code("slow", "{\"ms\":10000}")).isEqualTo("timeout");
            }
            eventually(
                    "the timeouts have been judged",
                    () -> assertThat(gateway.code("slow", "{\"ms\":1}")).isEqualTo(afterwards));
        }
    }

    @ParameterizedTest
    @CsvSource({"4,200000,3000,7200", "100,200000,90000,180000", "100,9000,4500,10800"})
    @Shows({"toolBreaker.cooldownGrowth", "toolBreaker.maxCooldownMs"})
    void tool_breaker_cooldown_grows(int growth, int longest, long least, long most) throws IOException {
        String cooldown = "\"cooldownMs\":1500,\"cooldownGrowth\":" + growth + ",\"maxCooldownMs\":" + longest;
        try (FixtureServer server = server();
                Configured gateway = tools(server.uri(), SECOND + cooldown)) {
            // Not how many until one is rejected: on a machine that stalls, the next one may already be the probe.
            assertThat(gateway.code("fail", "{}")).isEqualTo("done");
            assertThat(gateway.code("fail", "{}")).isEqualTo("done");
            eventually(
                    "the cooldown is over",
                    () -> assertThat(gateway.code("fail", "{}")).isEqualTo("done"));
            assertThat(gateway.retryAfterMs("fail")).isBetween(least, most);
        }
    }

    @ParameterizedTest
    @CsvSource({"'',3", "'\"crashThreshold\":2',2", "'\"enabled\":false',5"})
    @Shows("toolBreaker.crashThreshold")
    void crash_threshold_opens_tool_breaker(String toolBreaker, int crashes) {
        String server = Configured.process(ServerScript.faultless().withEra(Era.LEGACY));
        try (Configured gateway = Configured.of(server + ",\"toolBreaker\":{" + toolBreaker + "}", "")) {
            eventually("the tools are listed", () -> assertThat(gateway.tools()).contains("one__crash"));
            assertThat(gateway.callsBefore("tool_breaker_open", "crash", 5)).isEqualTo(crashes);
        }
    }
}
