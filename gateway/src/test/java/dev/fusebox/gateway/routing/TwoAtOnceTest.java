package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetryRules;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers to which something is done while something else happens to them.
@Tag("process")
@Timeout(120)
class TwoAtOnceTest {
    /// Longer than any test here waits: what ends sooner was not waited for.
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    private Path folder = Path.of("");

    private final List<LifecycleEvent.StatusChanged> told = new CopyOnWriteArrayList<>();

    private GatewayHarness gateway(TestServer testServer) {
        return GatewayHarness.plan()
                .lifecycleListener((server, event) -> {
                    if (event instanceof LifecycleEvent.StatusChanged changed) {
                        told.add(changed);
                    }
                })
                .server(testServer)
                .open();
    }

    private static TestServer testServer(ServerScript script, UnaryOperator<LifecycleSettings> life) {
        return TestServer.of("one", script).with(EraPolicy.SESSION).lifecycle(life);
    }

    /// Well, with a word that says which configuration it was started by.
    private static TestServer well(String version) {
        ChildSpec spec = SingleServerHarness.server(SingleServerHarness.script(Era.LEGACY))
                .withEnv(Map.of("VERSION", version));
        return TestServer.of("one", spec).with(EraPolicy.SESSION);
    }

    private static TestServer hanging() {
        return testServer(SingleServerHarness.script(Era.LEGACY, "hang-on-initialize"), life -> life);
    }

    private static UpstreamServer server(GatewayHarness gateway) {
        return gateway.server("one");
    }

    private static void eventuallyAlone(GatewayHarness gateway) {
        eventually(
                "one server process is running",
                () -> assertThat(gateway.processes()).hasSize(1));
    }

    private static String version(GatewayHarness gateway) {
        return Messages.said(GatewayClient.of(gateway).call("one__env", "{\"name\":\"VERSION\"}"));
    }

    /// Whoever hears of every change can say at any time how it is.
    private void isWithoutGaps() {
        for (int i = 1; i < told.size(); i++) {
            assertThat(told.get(i).previous())
                    .as("%d in %s", i, told)
                    .isEqualTo(told.get(i - 1).status());
        }
    }

    // ---- Another configuration, and ...

    @Test
    void new_configuration_replaces_a_server_that_hangs_in_its_handshake_at_once() {
        try (GatewayHarness gateway = gateway(hanging())) {
            server(gateway).wake();
            gateway.eventuallyIs("one", ServerStatus.CONNECTING);
            eventuallyAlone(gateway);
            List<Long> hung = gateway.processes();
            gateway.reload(List.of(gateway.added(well("2"))), LONG);
            gateway.eventuallyIs("one", ServerStatus.ONLINE);
            eventually(
                    "the hung processes have ended",
                    () -> gateway.processes().stream().noneMatch(hung::contains));
            assertThat(version(gateway)).isEqualTo("2");
            assertThat(GatewayClient.of(gateway).tools()).contains("one__echo");
            assertThat(told).extracting(LifecycleEvent.StatusChanged::status).contains(ServerStatus.COMMAND_RECEIVED);
            isWithoutGaps();
        }
    }

    @Test
    void a_server_that_hangs_in_its_handshake_is_gone_at_once_when_it_is_removed_or_disabled() {
        try (GatewayHarness gateway = gateway(hanging())) {
            server(gateway).wake();
            eventuallyAlone(gateway);
            CallFailure why = CallFailure.policy(ErrorId.SERVER_DISABLED, "one is disabled");
            gateway.reload(List.of(new ReloadAction.Missing(new UnavailableServer("one", why))), LONG);
            eventually(
                    "no server process is running",
                    () -> assertThat(gateway.processes()).isEmpty());
            assertThat(GatewayClient.of(gateway).failure("one__echo")).isEqualTo("server_disabled policy not_sent");
            isWithoutGaps();
        }
    }

    @Test
    void changed_configuration_restarts_a_waiting_server_at_once() {
        try (GatewayHarness gateway =
                gateway(testServer(SingleServerHarness.script(Era.LEGACY), life -> life.withDelays(List.of(LONG))))) {
            crash(gateway);
            gateway.eventuallyIs("one", ServerStatus.RESTARTING);
            gateway.reload(List.of(gateway.added(well("2"))), LONG);
            gateway.eventuallyIs("one", ServerStatus.ONLINE);
            eventuallyAlone(gateway);
            assertThat(version(gateway)).isEqualTo("2");
            isWithoutGaps();
        }
    }

    private static void crash(GatewayHarness gateway) {
        GatewayClient client = GatewayClient.of(gateway);
        client.eventuallySees("one__crash");
        gateway.eventuallyIs("one", ServerStatus.ONLINE);
        client.call("one__crash", "{}");
    }

    private static TestServer givenUpSoon() {
        return testServer(
                SingleServerHarness.script(Era.LEGACY),
                life -> life.with(new LifecycleSettings.Crashes(1, Duration.ofMinutes(5), true)));
    }

    @Test
    void changed_configuration_resets_a_permanently_failed_server() {
        try (GatewayHarness gateway = gateway(givenUpSoon())) {
            crash(gateway);
            gateway.eventuallyIs("one", ServerStatus.PERMANENTLY_FAILED);
            gateway.reload(List.of(new ReloadAction.Unchanged("one")), LONG);
            assertThat(GatewayClient.of(gateway).failure("one__echo")).isEqualTo("permanently_failed policy not_sent");
            gateway.reload(List.of(gateway.added(well("2"))), LONG);
            gateway.eventuallyIs("one", ServerStatus.ONLINE);
            assertThat(version(gateway)).isEqualTo("2");
            isWithoutGaps();
        }
    }

    @Test
    void a_server_that_was_given_up_is_tried_again_by_other_rules() {
        try (GatewayHarness gateway = gateway(givenUpSoon())) {
            crash(gateway);
            gateway.eventuallyIs("one", ServerStatus.PERMANENTLY_FAILED);
            ReloadAction other = new ReloadAction.RulesChanged(
                    "one", PipelineRules.of("one", false), ServerPolicy.within(LONG), LifecycleSettings.usual(true));
            gateway.reload(List.of(other), LONG);
            gateway.eventuallyIs("one", ServerStatus.ONLINE);
            isWithoutGaps();
        }
    }

    /// Opens at the first failure, and lets a probe out in a moment.
    private static PipelineRules touchy(PipelineRules pipeline) {
        return pipeline.with(BreakerPolicy.defaults()
                        .with(new TripRule.Consecutive(1))
                        .with(Cooldown.fixed(Duration.ofMillis(10))))
                .with(RetryRules.of(1, List.of(Duration.ofMillis(1)), 0.1, true));
    }

    private static FutureTask<JsonView> calling(GatewayHarness gateway, String tool) {
        GatewayClient client = GatewayClient.of(gateway);
        FutureTask<JsonView> call = new FutureTask<>(() -> client.call(tool, "{}"));
        Thread.ofVirtual().start(call);
        return call;
    }

    @Test
    void probe_of_the_previous_generation_does_not_count_for_the_next() throws Exception {
        try (ControlledServer first = ControlledServer.of(ControlledServer.Reply.of(503));
                ControlledServer second = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway =
                        gateway(TestServer.at("one", first.uri()).pipeline(TwoAtOnceTest::touchy))) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("one__work");
            client.call("one__work", "{}");
            List<FutureTask<JsonView>> probes = new ArrayList<>();
            try (ControlledServer.Held held = first.hold(ControlledServer.Reply.of(503))) {
                eventually("a probe is held", () -> {
                    probes.add(calling(gateway, "one__work"));
                    return held.waiting() > 0;
                });
                gateway.reload(
                        List.of(gateway.added(TestServer.at("one", second.uri()).pipeline(TwoAtOnceTest::touchy))),
                        LONG);
                assertThat(Messages.said(client.call("one__work", "{}"))).isEqualTo("done");
            }
            for (FutureTask<JsonView> probe : probes) {
                probe.get(SingleServerHarness.SOON.toMillis(), TimeUnit.MILLISECONDS);
            }
            assertThat(gateway.state("one")).isEqualTo(State.CLOSED);
            assertThat(Messages.said(client.call("one__work", "{}"))).isEqualTo("done");
        }
    }

    @Test
    void what_a_backup_works_on_is_answered_though_the_server_it_stands_in_for_is_removed() throws Exception {
        try (ControlledServer first = ControlledServer.of(ControlledServer.Reply.of(503));
                ControlledServer second = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway = GatewayHarness.plan()
                        .server(TestServer.at("one", first.uri())
                                .pipeline(TwoAtOnceTest::touchy)
                                .policy(rules -> rules.backedBy("spare")))
                        .server(TestServer.at("spare", second.uri()))
                        .open()) {
            GatewayClient.of(gateway).eventuallySees("one__look", "spare__look");
            FutureTask<JsonView> call;
            try (ControlledServer.Held held = second.hold(ControlledServer.DONE)) {
                call = calling(gateway, "one__look");
                eventually("one call is held", () -> assertThat(held.waiting()).isEqualTo(1));
                gateway.reload(List.of(new ReloadAction.Unchanged("spare")), LONG);
                assertThat(GatewayClient.of(gateway).failure("one__look")).isEqualTo("unknown_server policy not_sent");
            }
            JsonView answer = call.get(SingleServerHarness.SOON.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(Messages.said(answer)).isEqualTo("done");
            assertThat(Messages.at(answer, "result", "_meta").string("fusebox/server"))
                    .isEqualTo("spare");
        }
    }

    // ---- A restart, and ...

    /// Hangs in its handshake as long as a file is there.
    private TestServer hangingWhile(Path file) {
        List<String> words = new ArrayList<>(List.of("-c", "test -e \"$0\" && exec sleep 1000; exec \"$@\""));
        words.add(file.toString());
        words.addAll(ScriptedServer.stdio(SingleServerHarness.script(Era.LEGACY)));
        return TestServer.of("one", ChildSpec.of("sh", words.toArray(String[]::new)))
                .with(EraPolicy.SESSION);
    }

    @Test
    void a_restart_replaces_a_process_that_hangs_in_its_handshake() throws Exception {
        Path sickness = Files.createFile(folder.resolve("sick"));
        try (GatewayHarness gateway = gateway(hangingWhile(sickness))) {
            server(gateway).wake();
            eventuallyAlone(gateway);
            List<Long> hung = gateway.processes();
            Files.delete(sickness);
            assertThat(server(gateway).controls().restart().status()).isEqualTo(ServerStatus.ONLINE);
            eventuallyAlone(gateway);
            assertThat(gateway.processes()).doesNotContainAnyElementsOf(hung);
            isWithoutGaps();
        }
    }

    @Test
    void restart_of_a_server_that_is_replaced_meanwhile_reports_the_new_one() throws Exception {
        try (GatewayHarness gateway = gateway(hanging())) {
            server(gateway).wake();
            eventuallyAlone(gateway);
            FutureTask<ServerHealth> restart = new FutureTask<>(server(gateway).controls()::restart);
            Thread.ofVirtual().start(restart);
            eventually(
                    "the requested restart is reported",
                    () -> told.stream().anyMatch(change -> change.message().equals("restart requested")));
            gateway.reload(List.of(gateway.added(well("2"))), LONG);
            assertThat(restart.get(SingleServerHarness.SOON.toMillis(), TimeUnit.MILLISECONDS)
                            .status())
                    .isEqualTo(ServerStatus.ONLINE);
            assertThat(version(gateway)).isEqualTo("2");
        }
    }

    @Test
    void of_restarts_at_once_each_finds_the_server_ready_and_one_process_is_left() throws Exception {
        try (GatewayHarness gateway = gateway(well("1"))) {
            assertThat(version(gateway)).isEqualTo("1");
            for (int round = 0; round < 3; round++) {
                List<FutureTask<ServerHealth>> restarts = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    restarts.add(new FutureTask<>(server(gateway).controls()::restart));
                    Thread.ofVirtual().start(restarts.getLast());
                }
                for (FutureTask<ServerHealth> restart : restarts) {
                    assertThat(restart.get(SingleServerHarness.SOON.toMillis(), TimeUnit.MILLISECONDS)
                                    .status())
                            .isEqualTo(ServerStatus.ONLINE);
                }
                eventuallyAlone(gateway);
            }
            assertThat(version(gateway)).isEqualTo("1");
            isWithoutGaps();
        }
    }
}
