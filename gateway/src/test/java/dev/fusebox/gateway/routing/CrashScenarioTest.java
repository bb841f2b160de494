package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.State;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.Isolation;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Crashes with the default rules and real processes: calls are the breakers' matter, restarts the crash budget's.
@Tag("process")
@Timeout(120)
class CrashScenarioTest {
    private static final BreakerName SERVER = BreakerName.of("frail");

    private static GatewayHarness gateway(Era era) {
        return GatewayHarness.plan()
                .server(TestServer.of("frail", SingleServerHarness.script(era))
                        .lifecycle(life -> life.withDelays(List.of(Duration.ofHours(1)))))
                .open();
    }

    private static GatewayClient greeted(GatewayHarness gateway) {
        GatewayClient gatewayClient = GatewayClient.of(gateway);
        gatewayClient.eventuallySees("frail__crash");
        gateway.eventuallyIs("frail", ServerStatus.ONLINE);
        return gatewayClient;
    }

    private static String echo(GatewayClient gatewayClient) {
        return Messages.said(gatewayClient.call("frail__echo", "{\"text\":\"up\"}"));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void a_tool_that_crashes_its_server_is_refused_after_three_crashes_and_the_others_go_on(Era era) {
        try (GatewayHarness gateway = gateway(era)) {
            GatewayClient gatewayClient = greeted(gateway);
            for (int i = 0; i < 3; i++) {
                assertThat(gatewayClient.failure("frail__crash")).startsWith("server_crashed stdio-exit");
                assertThat(echo(gatewayClient)).isEqualTo("up");
            }
            assertThat(gatewayClient.failure("frail__crash")).startsWith("tool_breaker_open stdio-exit not_sent");
            assertThat(Messages.said(gatewayClient.call("frail__crash", "{}")))
                    .contains("this tool has crashed its server (3 times");
            assertThat(gateway.state("frail")).isEqualTo(State.CLOSED);
            assertThat(gateway.breaker(SERVER.tool("crash")).state()).isEqualTo(State.OPEN);
            assertThat(echo(gatewayClient)).isEqualTo("up");
        }
    }

    /// Runs so long before it dies that a call could be sent to it.
    private static ChildSpec startingUntil(Path sick, Era era) {
        List<String> words = new ArrayList<>(List.of("-c", "test -e \"$0\" && sleep 0.2 && exit 3; exec \"$@\""));
        words.add(sick.toString());
        words.addAll(ScriptedServer.stdio(SingleServerHarness.script(era)));
        return ChildSpec.of("sh", words.toArray(String[]::new));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void server_that_no_longer_starts_is_rejected_and_no_tool_is_charged(Era era, @TempDir Path folder)
            throws IOException {
        Path sick = folder.resolve("sick");
        TestServer testServer = TestServer.of("frail", startingUntil(sick, era));
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(testServer.lifecycle(life -> life.withDelays(List.of(Duration.ofHours(1)))))
                .open()) {
            GatewayClient gatewayClient = greeted(gateway);
            Files.createFile(sick);
            assertThat(gatewayClient.failure("frail__crash")).isEqualTo("server_crashed stdio-exit unknown");
            for (int i = 0; i < 5; i++) {
                assertThat(gatewayClient.failure("frail__echo")).isEqualTo("server_crashed stdio-exit not_sent");
            }
            assertThat(gatewayClient.failure("frail__echo")).startsWith("breaker_open stdio-exit not_sent");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_tool_that_crashes_the_own_process_of_a_client_that_answers_questions_is_refused(EitherClient.Way way) {
        GatewayHarness.Plan plan =
                GatewayHarness.plan().server(TestServer.of("frail", SingleServerHarness.script(Era.LEGACY)));
        try (GatewayHarness gateway = plan.connectionSharing("frail", new ConnectionSharing(Isolation.SESSION, 1))
                        .open();
                EitherClient client = new EitherClient(gateway, way)) {
            // A tool that is not known yet has no breaker.
            eventually(
                    "the tool is known",
                    () -> client.ask("tools/list", "").json().contains("frail__crash"));
            for (int i = 0; i < 3; i++) {
                assertThat(Messages.kind(client.call("frail__crash", "{}"))).startsWith("server_crashed stdio-exit");
                assertThat(Messages.said(client.call("frail__echo", "{\"text\":\"up\"}")))
                        .isEqualTo("up");
            }
            assertThat(Messages.kind(client.call("frail__crash", "{}"))).startsWith("tool_breaker_open");
            assertThat(Messages.said(client.call("frail__echo", "{\"text\":\"up\"}")))
                    .isEqualTo("up");
        }
    }

    @Test
    void after_three_crashes_nothing_is_started_until_a_call_comes_which_starts_it() {
        try (GatewayHarness gateway = gateway(Era.LEGACY)) {
            greeted(gateway);
            for (int i = 0; i < 3; i++) {
                GatewayClient another = GatewayClient.of(gateway);
                assertThat(echo(another)).isEqualTo("up");
                another.call("frail__crash", "{}");
            }
            gateway.eventuallyIs("frail", ServerStatus.ERROR);
            eventually(
                    "no process is left", () -> assertThat(gateway.processes()).isEmpty());
            assertThat(echo(GatewayClient.of(gateway))).isEqualTo("up");
            gateway.eventuallyIs("frail", ServerStatus.ONLINE);
        }
    }

    @Test
    void one_session_that_crashes_a_shared_server_again_and_again_does_not_use_up_its_budget() {
        try (GatewayHarness gateway = gateway(Era.LEGACY)) {
            greeted(gateway);
            GatewayClient session = GatewayClient.of(gateway, GatewayClient.Manner.SESSION);
            for (int i = 0; i < 3; i++) {
                assertThat(echo(session)).isEqualTo("up");
                session.call("frail__crash", "{}");
            }
            gateway.eventuallyIs("frail", ServerStatus.RESTARTING);
            assertThat(echo(session)).isEqualTo("up");
        }
    }

    @Test
    void a_server_that_has_crashed_is_not_started_only_to_read_its_lists() {
        try (GatewayHarness gateway = gateway(Era.LEGACY)) {
            GatewayClient gatewayClient = greeted(gateway);
            gatewayClient.call("frail__crash", "{}");
            // With the new connection its lists are to be read again, at most once a second.
            assertThat(echo(gatewayClient)).isEqualTo("up");
            gatewayClient.call("frail__crash", "{}");
            throughout(
                    "nothing is started",
                    Duration.ofMillis(1_500),
                    () -> assertThat(gateway.status("frail")).isEqualTo(ServerStatus.RESTARTING));
            assertThat(gateway.processes()).isEmpty();
        }
    }
}
