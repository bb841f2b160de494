package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetryRules;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers that die and come back.
@Tag("process")
class RecoveryScenarioTest {
    @TempDir
    private Path folder = Path.of("");

    private final ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE);

    @AfterEach
    void closed() {
        controlledServer.close();
    }

    private static UpstreamServer server(GatewayHarness gateway, String name) {
        return gateway.server(name);
    }

    private final List<LifecycleEvent> happened = new CopyOnWriteArrayList<>();

    private GatewayHarness gateway(UnaryOperator<LifecycleSettings> life) {
        return GatewayHarness.plan()
                .lifecycleListener((server, event) -> happened.add(event))
                .server(TestServer.of("frail", SingleServerHarness.noting(folder.resolve("journal"), Era.LEGACY))
                        .lifecycle(life))
                .open();
    }

    private static GatewayClient greeted(GatewayHarness gateway) {
        GatewayClient client = GatewayClient.of(gateway);
        client.eventuallySees("frail__echo");
        gateway.eventuallyIs("frail", ServerStatus.ONLINE);
        return client;
    }

    @Test
    void server_is_idle_before_its_first_call_and_then_online() {
        try (GatewayHarness gateway = gateway(life -> life)) {
            assertThat(server(gateway, "frail").health().status()).isEqualTo(ServerStatus.IDLE);
            greeted(gateway);
            assertThat(server(gateway, "frail").health().live()).isEqualTo(1);
        }
    }

    @Test
    void crashed_process_is_restarted_without_a_call() {
        try (GatewayHarness gateway = gateway(life -> life.withDelays(List.of(Duration.ofMillis(50))))) {
            GatewayClient client = greeted(gateway);
            List<Long> before = gateway.processes();
            client.call("frail__crash", "{}");
            eventually(
                    "another process is running",
                    () -> gateway.processes().size() == 1
                            && !gateway.processes().equals(before));
            gateway.eventuallyIs("frail", ServerStatus.ONLINE);
            assertThat(Messages.said(client.call("frail__echo", "{\"text\":\"back\"}")))
                    .isEqualTo("back");
        }
    }

    @Test
    void a_call_that_comes_before_the_restart_starts_it_now_and_only_once() {
        try (GatewayHarness gateway = gateway(life -> life.withDelays(List.of(Duration.ofHours(1))))) {
            GatewayClient client = greeted(gateway);
            client.call("frail__crash", "{}");
            assertThat(Messages.said(client.call("frail__echo", "{\"text\":\"now\"}")))
                    .isEqualTo("now");
            eventually(
                    "one server process is running",
                    () -> assertThat(gateway.processes()).hasSize(1));
            gateway.eventuallyIs("frail", ServerStatus.ONLINE);
        }
    }

    /// Refuses calls after three crashes.
    private static LifecycleSettings stopping(LifecycleSettings life) {
        return life.with(new LifecycleSettings.Crashes(3, Duration.ofMinutes(5), true))
                .withDelays(List.of(Duration.ofHours(1)));
    }

    @Test
    void third_crash_is_final_and_reported_until_an_operator_restarts_the_server() throws Exception {
        try (GatewayHarness gateway = gateway(RecoveryScenarioTest::stopping)) {
            GatewayClient client = greeted(gateway);
            // One session alone uses nothing up.
            for (int i = 0; i < 3; i++) {
                GatewayClient another = GatewayClient.of(gateway);
                assertThat(Messages.said(another.call("frail__echo", "{\"text\":\"up\"}")))
                        .isEqualTo("up");
                another.call("frail__crash", "{\"how\":\"7\"}");
            }
            gateway.eventuallyIs("frail", ServerStatus.PERMANENTLY_FAILED);
            JsonView answer = client.call("frail__echo", "{}");
            assertThat(Messages.kind(answer)).isEqualTo("permanently_failed policy not_sent");
            JsonView cause = Objects.requireNonNull(answer.path("result", "_meta", "fusebox/error", "cause"));
            assertThat(Objects.requireNonNull(cause.member("exitCode")).json()).isEqualTo("7");
            assertThat(Messages.said(answer)).contains("crashed 3 times in 5 minutes", "fusebox restart frail");
            // One that has crashed may still be tidied up.
            eventually(
                    "no server process is running",
                    () -> assertThat(gateway.processes()).isEmpty());
            assertThat(client.tools()).contains("frail__echo");
            assertThat(server(gateway, "frail").controls().restart().status()).isEqualTo(ServerStatus.ONLINE);
            assertThat(Messages.said(client.call("frail__echo", "{\"text\":\"again\"}")))
                    .isEqualTo("again");
        }
    }

    @Test
    void alternatives_to_a_permanently_failed_server_are_named() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of("frail", SingleServerHarness.script(Era.LEGACY))
                        .lifecycle(RecoveryScenarioTest::stopping))
                .server("other", SingleServerHarness.script(Era.LEGACY))
                .open()) {
            GatewayClient client = greeted(gateway);
            client.eventuallySees("other__echo");
            for (int i = 0; i < 3; i++) {
                GatewayClient another = GatewayClient.of(gateway);
                another.call("frail__echo", "{\"text\":\"up\"}");
                another.call("frail__crash", "{\"how\":\"7\"}");
            }
            gateway.eventuallyIs("frail", ServerStatus.PERMANENTLY_FAILED);
            JsonView answer = client.call("frail__echo", "{}");
            assertThat(Messages.kind(answer)).isEqualTo("permanently_failed policy not_sent");
            assertThat(Messages.at(answer, "result", "_meta", "fusebox/error", "alternatives")
                            .json())
                    .isEqualTo("[{\"server\":\"other\",\"tool\":\"echo\"}]");
        }
    }

    @Test
    void connect_probes_during_the_cooldown_and_a_failure_clears_nothing() throws Exception {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.at("shop", controlledServer.uri()).pipeline(RecoveryScenarioTest::touchy))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("shop__work");
            controlledServer.answer(ControlledServer.Reply.of(503));
            client.call("shop__work", "{}");
            assertThat(gateway.state("shop")).isEqualTo(State.OPEN);
            // Whatever the server still said would be a sign of life.
            eventually("the server is at rest", server(gateway, "shop")::isAtRest);
            controlledServer.close();
            assertThat(server(gateway, "shop").controls().connect().status().isDown())
                    .isTrue();
            assertThat(gateway.state("shop")).isEqualTo(State.OPEN);
            assertThat(client.failure("shop__work")).startsWith("breaker_open");
        }
    }

    @Test
    void connect_detects_a_recovered_server() throws Exception {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.at("shop", controlledServer.uri()).pipeline(RecoveryScenarioTest::touchy))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("shop__work");
            controlledServer.answer(ControlledServer.Reply.of(503));
            client.call("shop__work", "{}");
            assertThat(gateway.state("shop")).isEqualTo(State.OPEN);
            controlledServer.answer(ControlledServer.DONE);
            controlledServer.rename("think", "rest");
            assertThat(server(gateway, "shop").controls().connect().status()).isEqualTo(ServerStatus.ONLINE);
            assertThat(gateway.state("shop")).isEqualTo(State.CLOSED);
            client.eventuallySees("shop__rest");
            assertThat(Messages.said(client.call("shop__work", "{}"))).isEqualTo("done");
        }
    }

    /// Opens at the first failure, for long.
    private static PipelineRules touchy(PipelineRules pipeline) {
        return pipeline.with(BreakerPolicy.defaults()
                        .with(new TripRule.Consecutive(1))
                        .with(Cooldown.growing(Duration.ofHours(1))))
                .with(RetryRules.of(1, List.of(Duration.ofMillis(1)), 0.1, true));
    }

    @Test
    void discovered_and_changed_tools_are_published_as_events() {
        Queue<LifecycleEvent> told = new ConcurrentLinkedQueue<>();
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of("one", SingleServerHarness.script(Era.BOTH)))
                .lifecycleListener((server, event) -> told.add(event))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("one__echo");
            gateway.eventuallyIs("one", ServerStatus.ONLINE);
            int count = client.tools().size();
            assertThat(told)
                    .filteredOn(LifecycleEvent.ToolsDiscovered.class::isInstance)
                    .singleElement()
                    .isInstanceOfSatisfying(LifecycleEvent.ToolsDiscovered.class, discovered -> {
                        assertThat(discovered.count()).isEqualTo(count);
                        assertThat(discovered.tokens()).isGreaterThan(count);
                    });
            assertThat(told).noneMatch(LifecycleEvent.ToolsUpdated.class::isInstance);
            client.call("one__test_trigger_tool_change", "{}");
            eventually(
                    "the update of the tools is reported",
                    () -> told.stream().anyMatch(LifecycleEvent.ToolsUpdated.class::isInstance));
            assertThat(told)
                    .filteredOn(LifecycleEvent.ToolsUpdated.class::isInstance)
                    .singleElement()
                    .isInstanceOfSatisfying(LifecycleEvent.ToolsUpdated.class, updated -> {
                        assertThat(updated.added()).hasSize(1);
                        assertThat(updated.removed()).isEmpty();
                        assertThat(updated.changed()).isEmpty();
                    });
        }
    }

    @Test
    void one_that_was_given_up_needs_no_person_to_come_back() {
        try (GatewayHarness gateway = gateway(life -> new LifecycleSettings(
                true,
                new LifecycleSettings.Crashes(1, Duration.ofMinutes(5), true),
                life.restartDelays(),
                new LifecycleSettings.Polls(
                        life.polls().health(),
                        Duration.ZERO,
                        Duration.ofMillis(300),
                        life.polls().limit())))) {
            GatewayClient client = greeted(gateway);
            client.call("frail__crash", "{}");
            eventually(
                    "the end of the restarts is reported",
                    () -> happened.stream().anyMatch(LifecycleEvent.GivenUp.class::isInstance));
            gateway.eventuallyIs("frail", ServerStatus.ONLINE);
        }
    }

    @Test
    void three_calls_that_see_a_server_again_make_one_reading_and_its_new_tools_are_there() throws Exception {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.at("shop", controlledServer.uri()))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("shop__work");
            gateway.eventuallyIs("shop", ServerStatus.ONLINE);
            controlledServer.answer(ControlledServer.Reply.of(503));
            client.call("shop__work", "{}");
            gateway.eventuallyIs("shop", ServerStatus.ERROR);
            int listed = controlledServer.lists();
            controlledServer.rename("think", "rest");
            controlledServer.answer(ControlledServer.DONE);
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                GatewayClient other = GatewayClient.of(gateway);
                callers.add(Thread.ofVirtual().start(() -> other.call("shop__work", "{}")));
            }
            for (Thread caller : callers) {
                caller.join();
            }
            client.eventuallySees("shop__work", "shop__rest");
            gateway.eventuallyIs("shop", ServerStatus.ONLINE);
            assertThat(controlledServer.lists()).isEqualTo(listed + 1);
        }
    }
}
