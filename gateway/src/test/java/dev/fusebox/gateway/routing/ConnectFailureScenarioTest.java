package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.Preset;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that dies whenever it is started, with the numbers of the presets `openab` and `metamcp`, which are
/// consecutive failures and a fixed cooldown.
@Tag("process")
@Timeout(120)
class ConnectFailureScenarioTest {
    private static final String DIED = "server_crashed stdio-exit not_sent";
    private static final String REFUSED = "breaker_open stdio-exit not_sent";
    private static final Duration MOMENT = Duration.ofMillis(1);

    @TempDir
    private Path folder = Path.of("");

    private final ManualTime time = new ManualTime();

    private GatewayHarness gateway(CrashingServer server, BreakerPolicy policy) {
        return GatewayHarness.plan()
                .breakersIn(time)
                .server(server.testServer("sick").restartedByCalls().pipeline(pipeline -> pipeline.with(policy)))
                .open();
    }

    private static State state(GatewayHarness gateway) {
        return gateway.state("sick");
    }

    /// As often as it takes, and not once less.
    private static void trip(GatewayClient client, GatewayHarness gateway, int failures) {
        for (int i = 0; i < failures; i++) {
            assertThat(state(gateway)).as("after %d failures", i).isEqualTo(State.CLOSED);
            assertThat(client.failure("sick__echo")).isEqualTo(DIED);
        }
        assertThat(state(gateway)).isEqualTo(State.OPEN);
    }

    private static String retryAfterMs(JsonView refused) {
        return Messages.at(refused, "result", "_meta", "fusebox/error", "retryAfterMs")
                .json();
    }

    @Test
    void three_failures_open_it_a_minute_later_one_call_finds_out_and_closes_it() {
        CrashingServer server = new CrashingServer(folder);
        try (GatewayHarness gateway = gateway(server, Preset.OPENAB.policy())) {
            GatewayClient client = GatewayClient.of(gateway);
            trip(client, gateway, 3);
            assertThat(server.starts()).isEqualTo(3);

            JsonView refused = client.call("sick__echo", "{}");
            assertThat(Messages.kind(refused)).isEqualTo(REFUSED);
            assertThat(retryAfterMs(refused)).isEqualTo("60000");
            time.advance(Duration.ofSeconds(60).minus(MOMENT));
            assertThat(retryAfterMs(client.call("sick__echo", "{}"))).isEqualTo("1");
            assertThat(server.starts()).as("refused without contact").isEqualTo(3);

            time.advance(MOMENT);
            server.heal();
            assertThat(Messages.said(client.call("sick__echo", "{\"text\":\"well\"}")))
                    .isEqualTo("well");
            assertThat(server.starts()).isEqualTo(4);
            assertThat(state(gateway)).isEqualTo(State.CLOSED);
        }
    }

    @Test
    void a_probe_that_fails_opens_it_again_for_the_same_time() {
        CrashingServer server = new CrashingServer(folder);
        try (GatewayHarness gateway = gateway(server, Preset.OPENAB.policy())) {
            GatewayClient client = GatewayClient.of(gateway);
            trip(client, gateway, 3);
            for (int outage = 1; outage <= 3; outage++) {
                time.advance(Duration.ofSeconds(60));
                assertThat(client.failure("sick__echo")).isEqualTo(DIED);
                assertThat(state(gateway)).isEqualTo(State.OPEN);
                assertThat(client.failure("sick__echo")).isEqualTo(REFUSED);
                assertThat(server.starts()).isEqualTo(3 + outage);
                assertThat(gateway.breaker(BreakerName.of("sick")).cooldown()).isEqualTo(Duration.ofSeconds(60));
            }
        }
    }

    @Test
    void five_failures_and_half_a_minute_are_the_other_preset() {
        CrashingServer server = new CrashingServer(folder);
        try (GatewayHarness gateway = gateway(server, Preset.METAMCP.policy())) {
            GatewayClient client = GatewayClient.of(gateway);
            trip(client, gateway, 5);
            assertThat(retryAfterMs(client.call("sick__echo", "{}"))).isEqualTo("30000");
            time.advance(Duration.ofSeconds(30).minus(MOMENT));
            assertThat(client.failure("sick__echo")).isEqualTo(REFUSED);
            time.advance(MOMENT);
            assertThat(client.failure("sick__echo")).as("the probe").isEqualTo(DIED);
            assertThat(retryAfterMs(client.call("sick__echo", "{}"))).isEqualTo("30000");
        }
    }

    @Test
    void three_failures_and_a_minute_are_what_an_operator_may_write() {
        CrashingServer server = new CrashingServer(folder);
        BreakerPolicy written =
                Preset.METAMCP.policy().with(new TripRule.Consecutive(3)).with(Cooldown.fixed(Duration.ofSeconds(60)));
        try (GatewayHarness gateway = gateway(server, written)) {
            GatewayClient client = GatewayClient.of(gateway);
            trip(client, gateway, 3);
            time.advance(Duration.ofSeconds(60).minus(MOMENT));
            assertThat(client.failure("sick__echo")).isEqualTo(REFUSED);
            time.advance(MOMENT);
            server.heal();
            assertThat(Messages.said(client.call("sick__echo", "{\"text\":\"well\"}")))
                    .isEqualTo("well");
        }
    }

    @Test
    void cooldown_grows_with_each_outage_by_default() {
        CrashingServer server = new CrashingServer(folder);
        try (GatewayHarness gateway = gateway(server, BreakerPolicy.defaults())) {
            GatewayClient client = GatewayClient.of(gateway);
            trip(client, gateway, 5);
            Duration before = Duration.ZERO;
            for (int outage = 1; outage <= 5; outage++) {
                Duration cooldown = gateway.breaker(BreakerName.of("sick")).cooldown();
                assertThat(cooldown).isGreaterThanOrEqualTo(before);
                assertThat(cooldown).isLessThanOrEqualTo(Duration.ofSeconds(330));
                before = cooldown;
                time.advance(cooldown);
                assertThat(client.failure("sick__echo")).isEqualTo(DIED);
            }
            assertThat(before).isGreaterThan(Duration.ofSeconds(200));
            assertThat(server.starts()).isEqualTo(10);
        }
    }
}
