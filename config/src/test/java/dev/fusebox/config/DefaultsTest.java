package dev.fusebox.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What a file means that says nothing but how its servers are reached: each usual value is a line here.
class DefaultsTest {
    private static final Configuration PROCESS = Reads.usable("{\"mcpServers\":{\"one\":{\"command\":\"c\"}}}");
    private static final ServerConfig SERVER = PROCESS.servers().getFirst();

    private static final BreakerConfig.Cooldown COOLDOWN =
            new BreakerConfig.Cooldown(Duration.ofSeconds(30), 2, Duration.ofSeconds(300), 0.1);

    @Test
    void of_a_server() {
        assertThat(SERVER.name()).isEqualTo(new ServerName("one", "one"));
        assertThat(SERVER.isVital()).isFalse();
        assertThat(SERVER.state()).isInstanceOf(ServerState.Ready.class);
        assertThat(SERVER.eras()).isEqualTo(EraRule.USUAL);
        assertThat(SERVER.times().call()).isEqualTo(Duration.ofSeconds(60));
        assertThat(SERVER.times().connect()).isEqualTo(Duration.ofSeconds(60));
        assertThat(SERVER.times().tcpConnect()).isEqualTo(Duration.ofSeconds(5));
        assertThat(SERVER.problems()).isEmpty();
    }

    @Test
    void of_a_process() {
        assertThat(SERVER.state())
                .isEqualTo(new ServerState.Ready(
                        new ServerEndpoint.Stdio("c", List.of(), Map.of(), List.of(), null, List.of())));
    }

    @Test
    void of_a_server_elsewhere() {
        ServerEndpoint.Remote remote = new ServerEndpoint.Remote(
                URI.create("https://h/"), Map.of(), null, Set.of(), List.of(), OAuthConfig.USUAL, List.of());
        assertThat(Reads.server("\"url\":\"https://h/\"").state())
                .isEqualTo(new ServerState.Ready(new ServerEndpoint.Http(remote)));
    }

    @Test
    void of_breakers() {
        assertThat(SERVER.rules().breaker())
                .isEqualTo(new BreakerConfig(5, null, COOLDOWN, new BreakerConfig.HalfOpen(1, 1, true)));
    }

    @Test
    void of_breakers_that_count_in_a_window() {
        BreakerConfig breaker = Reads.server("\"command\":\"c\",\"breaker\":{\"mode\":\"window\"}")
                .rules()
                .breaker();
        assertThat(breaker.failureThreshold()).isEqualTo(5);
        assertThat(breaker.window()).isEqualTo(new BreakerConfig.Window(Duration.ofMinutes(5), 10, null, null, null));
    }

    @Test
    void of_breakers_of_tools() {
        assertThat(SERVER.rules().toolBreaker())
                .isEqualTo(new ToolBreakerConfig(
                        true,
                        5,
                        3,
                        new BreakerConfig.Window(Duration.ofMinutes(5), 5, 0.5, null, null),
                        COOLDOWN,
                        1,
                        false));
    }

    @Test
    void of_further_attempts() {
        RetryConfig retry = SERVER.rules().retry();
        assertThat(retry.replay()).isEqualTo(Replay.SAFE);
        assertThat(retry.maxAttempts()).isEqualTo(3);
        assertThat(retry.backoff())
                .containsExactly(Duration.ofMillis(500), Duration.ofMillis(1000), Duration.ofMillis(2000));
        assertThat(retry.budgetRatio()).isEqualTo(0.1);
        assertThat(retry.ofTools()).isEmpty();
    }

    @Test
    void of_tools() {
        assertThat(SERVER.rules().tools()).isEqualTo(new ToolSettings(List.of("*"), List.of(), Map.of()));
    }

    @Test
    void of_the_gateway() {
        assertThat(PROCESS.expose()).isEqualTo(Expose.META);
        assertThat(PROCESS.pins()).isEmpty();
        assertThat(PROCESS.pool().callsAtOnce()).isEqualTo(1000);
        assertThat(PROCESS.pool().callQueueLength()).isEqualTo(1000);
        assertThat(PROCESS.pool().maxInFlightBytes()).isEqualTo(67_108_864);
        assertThat(PROCESS.pool().startsAtOnce()).isEqualTo(4);
        assertThat(PROCESS.pool().processes()).isEqualTo(PoolRules.USUAL);
        assertThat(PROCESS.pool().remotes()).isEqualTo(PoolRules.USUAL.withSize(1_000));
        assertThat(SERVER.presence().idlePolicy()).isEqualTo(IdlePolicy.usual());
        assertThat(PROCESS.pool().drain()).isEqualTo(Duration.ofSeconds(10));
        assertThat(PROCESS.gateway().life()).isEqualTo(LifecycleSettings.usual(true));
        assertThat(PROCESS.gateway().logLevel()).isEqualTo(LogLevel.INFO);
        assertThat(PROCESS.gateway().collector()).isNull();
    }

    @Test
    void of_the_http_front() {
        assertThat(PROCESS.http().host()).isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
        assertThat(PROCESS.http().port()).isEqualTo(7332);
        assertThat(PROCESS.http().allowedOrigins()).isEqualTo(Set.of());
        assertThat(PROCESS.nullPolicy()).isEqualTo(NullPolicy.LENIENT);
        assertThat(PROCESS.http().allowsOtherUsers()).isFalse();
        assertThat(PROCESS.http().sessions()).isEqualTo(SessionBounds.USUAL);
        assertThat(PROCESS.http().intake().maxBodyBytes()).isEqualTo(4_194_304);
        assertThat(PROCESS.http().intake().maxConnections()).isEqualTo(12_000);
        assertThat(PROCESS.http().intake().headerTimeout()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void of_limits() {
        LimitConfig limits = PROCESS.limits();
        assertThat(limits.frameBytes()).isEqualTo(16_777_216);
        assertThat(limits.depth()).isEqualTo(128);
        assertThat(limits.toolPages()).isEqualTo(100);
        assertThat(limits.clientWrite()).isEqualTo(Duration.ofSeconds(30));
        assertThat(limits.clientWait()).isEqualTo(Duration.ofMinutes(5));
        assertThat(limits.stuckWrite()).isEqualTo(Duration.ofSeconds(30));
        assertThat(limits.eraProbe()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void every_default_in_the_table_is_valid_in_the_file() {
        for (SectionType sectionType : FileSection.SECTIONS) {
            assertThat(sectionType.keys())
                    .filteredOn(key -> !key.preset().isEmpty() && !key.preset().equals("null"))
                    .allSatisfy(key -> assertThat(key.usual()).as(key.name()).isNotNull());
        }
    }
}
