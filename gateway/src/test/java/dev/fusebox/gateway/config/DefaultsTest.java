package dev.fusebox.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.TripRule.Consecutive;
import dev.fusebox.breaker.TripRule.SlidingWindow;
import dev.fusebox.breaker.TripRule.WindowOrStreak;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundRoute;
import dev.fusebox.client.process.ChildLimits;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.gateway.arguments.NullPolicy;
import dev.fusebox.gateway.lifecycle.LifecycleSettings;
import dev.fusebox.gateway.pool.IdlePolicy;
import dev.fusebox.gateway.pool.PoolRules;
import dev.fusebox.gateway.session.EraRule;
import dev.fusebox.gateway.session.SessionBounds;
import dev.fusebox.http.HttpLimits;
import dev.fusebox.http.HttpTimes;
import dev.fusebox.http.OtherUsersPolicy;
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
                .isEqualTo(new ServerState.Ready(new ServerEndpoint.Stdio(new ChildSpec(
                        "c", List.of(), Map.of(), List.of(), null, ChildLimits.defaults(), Redactor.NONE))));
    }

    @Test
    void of_a_server_elsewhere() {
        HttpTarget target =
                new HttpTarget(URI.create("https://h/"), Map.of(), false, OutboundRoute.DEFAULT, Redactor.NONE);
        assertThat(Reads.server("\"url\":\"https://h/\"").state())
                .isEqualTo(new ServerState.Ready(new ServerEndpoint.Http(target)));
    }

    @Test
    void of_breakers() {
        BreakerPolicy policy = SERVER.rules().breaker();
        assertThat(policy).isEqualTo(BreakerPolicy.defaults());
        assertThat(policy.tripRule()).isEqualTo(new Consecutive(5));
        assertThat(policy.cooldown()).isEqualTo(new Cooldown(Duration.ofSeconds(30), 2, Duration.ofSeconds(300), 0.1));
        assertThat(policy.halfOpen()).isEqualTo(new HalfOpen(1, 1));
        assertThat(policy.callTimeout()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void of_breakers_that_count_in_a_window() {
        ServerConfig server = Reads.server("\"command\":\"c\",\"breaker\":{\"mode\":\"window\"}");
        assertThat(server.rules().breaker().tripRule())
                .isEqualTo(new SlidingWindow(Duration.ofMinutes(5), 10, 5, null, null));
    }

    @Test
    void of_breakers_of_tools() {
        ToolBreakerRules rules = SERVER.rules().toolBreaker();
        assertThat(rules.isEnabled()).isTrue();
        assertThat(rules.countsToolErrors()).isFalse();
        assertThat(rules.policy().tripRule())
                .isEqualTo(new WindowOrStreak(
                        SlidingWindow.ofRate(Duration.ofMinutes(5), 5, 0.5),
                        Map.of("timeout", 5, "error", 5, "stdio-exit", 3),
                        Map.of("stdio-exit", 5)));
        assertThat(rules.crashThreshold()).isEqualTo(3);
        assertThat(rules.policy().cooldown()).isEqualTo(Cooldown.growing(Duration.ofSeconds(30)));
        assertThat(rules.policy().halfOpen()).isEqualTo(HalfOpen.ONE_PROBE);
        assertThat(rules.policy().callTimeout()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void of_further_attempts() {
        RetryConfig retry = SERVER.rules().retry();
        assertThat(retry.retrySafety()).isEqualTo(RetrySafety.SAFE);
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
        assertThat(PROCESS.http().otherUsersPolicy()).isEqualTo(OtherUsersPolicy.REFUSE);
        assertThat(PROCESS.http().sessions()).isEqualTo(SessionBounds.USUAL);
        assertThat(PROCESS.http().intake().maxBodyBytes()).isEqualTo(4_194_304);
        assertThat(PROCESS.http().intake().maxConnections()).isEqualTo(12_000);
        assertThat(PROCESS.http().intake().headerTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(PROCESS.httpSettings().limits()).isEqualTo(HttpLimits.defaults());
        assertThat(PROCESS.httpSettings().times()).isEqualTo(HttpTimes.defaults());
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
    void every_usual_value_in_the_table_is_one_that_the_file_may_say() {
        for (SectionType sectionType : SectionType.ALL) {
            assertThat(sectionType.keys())
                    .filteredOn(key -> !key.preset().isEmpty() && !key.preset().equals("null"))
                    .allSatisfy(key -> assertThat(key.usual()).as(key.name()).isNotNull());
        }
    }
}
