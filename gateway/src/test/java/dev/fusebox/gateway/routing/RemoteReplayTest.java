package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.resilience.RetryRules;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.fixtures.server.FaultProxy;
import dev.fusebox.fixtures.server.LineFault;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.routing.ControlledServer.Reply;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is sent to a server over HTTP again, and what is not: the server counts what comes.
@Timeout(120)
class RemoteReplayTest {
    private static final Reply BROKEN = Reply.of(500);
    private static final List<Duration> MOMENTS = List.of(Duration.ofMillis(1));

    private static TestServer testServer(ControlledServer controlledServer, RetrySafety retrySafety, double budget) {
        return TestServer.at("shop", controlledServer.uri())
                .pipeline(pipeline -> pipeline.with(RetryRules.of(3, MOMENTS, budget, true)))
                .policy(old -> new ServerPolicy(
                        old.timeout(), old.filter(), old.toolRenaming(), retrySafety, Map.of(), null, Long.MAX_VALUE));
    }

    private static GatewayHarness gateway(ControlledServer controlledServer, RetrySafety retrySafety) {
        return GatewayHarness.plan()
                .server(testServer(controlledServer, retrySafety, 0.1))
                .open();
    }

    private static GatewayClient greeted(GatewayHarness gateway) {
        GatewayClient client = GatewayClient.of(gateway);
        client.eventuallySees("shop__work", "shop__look");
        return client;
    }

    @Test
    void a_tool_that_only_reads_is_tried_three_times_and_is_one_failure() {
        try (ControlledServer controlledServer = ControlledServer.of(BROKEN);
                GatewayHarness gateway = gateway(controlledServer, RetrySafety.SAFE)) {
            assertThat(greeted(gateway).failure("shop__look")).isEqualTo("http_error http rejected");
            assertThat(controlledServer.calls()).isEqualTo(3);
            assertThat(gateway.breaker(BreakerName.of("shop")).failureCount()).isEqualTo(1);
        }
    }

    @Test
    void the_third_attempt_may_be_the_one_that_is_answered() {
        try (ControlledServer controlledServer = ControlledServer.of(BROKEN, BROKEN, ControlledServer.DONE);
                GatewayHarness gateway = gateway(controlledServer, RetrySafety.SAFE)) {
            assertThat(Messages.said(greeted(gateway).call("shop__look", "{}"))).isEqualTo("done");
            assertThat(controlledServer.calls()).isEqualTo(3);
            assertThat(gateway.breaker(BreakerName.of("shop")).failureCount()).isZero();
        }
    }

    @Test
    void tool_without_annotations_is_called_once() {
        try (ControlledServer controlledServer = ControlledServer.of(BROKEN);
                GatewayHarness gateway = gateway(controlledServer, RetrySafety.SAFE)) {
            assertThat(greeted(gateway).failure("shop__work")).isEqualTo("http_error http rejected");
            assertThat(controlledServer.calls()).isEqualTo(1);
        }
    }

    @Test
    void an_operator_may_allow_it_for_all_tools() {
        try (ControlledServer controlledServer = ControlledServer.of(BROKEN, ControlledServer.DONE);
                GatewayHarness gateway = gateway(controlledServer, RetrySafety.ALWAYS)) {
            assertThat(Messages.said(greeted(gateway).call("shop__work", "{}"))).isEqualTo("done");
            assertThat(controlledServer.calls()).isEqualTo(2);
        }
    }

    @Test
    void an_operator_may_forbid_it_for_all_tools() {
        try (ControlledServer controlledServer = ControlledServer.of(BROKEN);
                GatewayHarness gateway = gateway(controlledServer, RetrySafety.NEVER)) {
            assertThat(greeted(gateway).failure("shop__look")).isEqualTo("http_error http rejected");
            assertThat(controlledServer.calls()).isEqualTo(1);
        }
    }

    @Test
    void an_error_of_the_protocol_and_a_tool_that_failed_are_answers_and_are_never_asked_for_again() {
        try (ControlledServer controlledServer =
                        ControlledServer.of(Reply.error(200, -32603, "timed out"), Reply.text("timed out", true));
                GatewayHarness gateway = gateway(controlledServer, RetrySafety.ALWAYS)) {
            GatewayClient client = greeted(gateway);
            assertThat(client.call("shop__look", "{}").member("error")).isNotNull();
            assertThat(Messages.said(client.call("shop__look", "{}"))).isEqualTo("timed out");
            assertThat(controlledServer.calls()).isEqualTo(2);
        }
    }

    @Test
    void unsent_call_is_retried_for_any_tool() throws IOException {
        Chance chance = new Chance();
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE);
                FaultProxy line = FaultProxy.to(controlledServer.uri().getPort());
                GatewayHarness gateway = GatewayHarness.plan(chance.platform())
                        .server(TestServer.at("shop", line.through(controlledServer.uri()))
                                .pipeline(pipeline ->
                                        pipeline.with(RetryRules.of(10, List.of(Duration.ofSeconds(2)), 1, true))))
                        .open()) {
            GatewayClient client = greeted(gateway);
            line.set(new LineFault.Refused());
            int before = chance.asked();
            Thread.ofVirtual().start(() -> {
                // Chance says how long to wait before the second attempt.
                eventually(
                        "the chance is drawn again",
                        () -> assertThat(chance.asked()).isGreaterThan(before));
                line.set(new LineFault.None());
            });
            assertThat(Messages.said(client.call("shop__work", "{}"))).isEqualTo("done");
            assertThat(controlledServer.calls()).isEqualTo(1);
        }
    }

    /// A world in which it is seen that somebody asks for chance. Thread-safe.
    private static final class Chance {
        private final AtomicInteger asked = new AtomicInteger();

        Platform platform() {
            Platform real = SingleServerHarness.PLATFORM;
            return new Platform(
                    real.ticker(),
                    real.wallClock(),
                    this::next,
                    real.timers(),
                    real.environment(),
                    real.processes(),
                    real.peerUsers());
        }

        private long next() {
            asked.incrementAndGet();
            return 0;
        }

        int asked() {
            return asked.get();
        }
    }

    @Test
    void all_attempts_of_all_calls_together_keep_to_a_budget() {
        // The budget grows from the start of the gateway on.
        long begun = SingleServerHarness.PLATFORM.ticker().nanos();
        try (ControlledServer controlledServer = ControlledServer.of(BROKEN);
                GatewayHarness gateway = GatewayHarness.plan()
                        .server(testServer(controlledServer, RetrySafety.SAFE, 0.1)
                                .pipeline(pipeline ->
                                        pipeline.with(pipeline.breaker().with(new TripRule.Consecutive(100_000)))))
                        .open()) {
            GatewayClient client = greeted(gateway);
            int calls = 200;
            for (int i = 0; i < calls; i++) {
                client.call("shop__look", "{}");
            }
            long seconds = (SingleServerHarness.PLATFORM.ticker().nanos() - begun) / 1_000_000_000 + 1;
            // Ten to begin with, one for ten calls, one a second.
            assertThat((long) controlledServer.calls()).isBetween(calls + 20L, calls + 10 + calls / 10 + seconds + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void requested_pause_is_kept_and_reported_to_the_client(int status) {
        try (ControlledServer controlledServer =
                        ControlledServer.of(Reply.of(status).asking("Retry-After", "60"), ControlledServer.DONE);
                GatewayHarness gateway = gateway(controlledServer, RetrySafety.ALWAYS)) {
            GatewayClient client = greeted(gateway);
            JsonView first = client.call("shop__work", "{}");
            assertThat(retryAfterMs(first)).isBetween(1L, 60_000L);
            assertThat(controlledServer.calls()).isEqualTo(1);
            JsonView second = client.call("shop__look", "{}");
            assertThat(Messages.kind(second)).endsWith("not_sent");
            assertThat(retryAfterMs(second)).isBetween(1L, 60_000L);
            assertThat(controlledServer.calls()).as("nobody has called since").isEqualTo(1);
            assertThat(gateway.breaker(BreakerName.of("shop")).failureCount()).isEqualTo(status == 503 ? 1 : 0);
            assertThat(gateway.state("shop")).isEqualTo(State.CLOSED);
        }
    }

    private static long retryAfterMs(JsonView refused) {
        return Long.parseLong(Messages.at(refused, "result", "_meta", "fusebox/error", "retryAfterMs")
                .json());
    }
}
