package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.State;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.gateway.catalog.ToolRenaming;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.ManualTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A model chains four calls to three servers, and one of the servers hangs.
///
/// Over five seconds: calls to the hanging server take all the time that they have.
@Tag("process")
@Timeout(120)
class WorkflowScenarioTest {
    private static final Duration CALL = Duration.ofMillis(700);
    private static final Duration PING = Duration.ofMillis(200);

    private static final List<String> STEPS =
            List.of("jira__get_issue", "jira__add_comment", "bitbucket__create_pr", "slack__send_message");

    private final ManualTime time = new ManualTime();

    @TempDir
    private Path folder = Path.of("");

    private TestServer testServer(String name, Map<String, String> tools) {
        return TestServer.of(name, unlessHanging(name))
                .pipeline(pipeline -> pipeline.withPing(PING))
                .policy(old -> new ServerPolicy(
                        old.timeout(),
                        old.filter(),
                        new ToolRenaming(tools),
                        old.retrySafety(),
                        old.toolRetrySafety(),
                        null,
                        Long.MAX_VALUE));
    }

    /// A server that does its work, or, started while there is a file that says so, shakes hands and hangs.
    private ChildSpec unlessHanging(String name) {
        String script = "if [ -e '" + hanging(name) + "' ]; then " + SilenceTest.MUTE + "; else exec \"$@\"; fi";
        List<String> words = new ArrayList<>(List.of("-c", script, "sh"));
        words.addAll(ScriptedServer.stdio(SingleServerHarness.noting(folder.resolve(name), Era.LEGACY)));
        return ChildSpec.of("/bin/sh", words.toArray(String[]::new));
    }

    private Path hanging(String name) {
        return folder.resolve(name + " hangs");
    }

    private GatewayHarness gateway() {
        return GatewayHarness.plan()
                .breakersIn(time)
                .server(testServer("jira", Map.of("echo", "get_issue", "env", "add_comment"))
                        .within(CALL))
                .server(testServer("bitbucket", Map.of("echo", "create_pr")))
                .server(testServer("slack", Map.of("echo", "send_message")))
                .open();
    }

    /// Which of the four calls were done.
    private static List<String> done(GatewayClient model) {
        return STEPS.stream()
                .filter(step -> Messages.at(model.call(step, "{\"text\":\"done\"}"), "result")
                                .path("_meta", "fusebox/error")
                        == null)
                .toList();
    }

    /// The process stands still as it is: it lives, and says nothing to anybody. Those that take its place are no
    /// better.
    private void freezeJira() throws Exception {
        Files.createFile(hanging("jira"));
        String lastCall = Files.readAllLines(folder.resolve("jira")).getLast();
        String process = lastCall.split(" ", -1)[1];
        assertThat(new ProcessBuilder("kill", "-STOP", process).start().waitFor())
                .isZero();
    }

    /// Whether all four calls together took less time than one that waits for the hanging server.
    private static boolean isQuickWithoutJira(GatewayClient model) {
        long begun = SingleServerHarness.PLATFORM.ticker().nanos();
        assertThat(done(model)).isEqualTo(STEPS.subList(2, 4));
        return SingleServerHarness.PLATFORM.ticker().nanos() - begun < CALL.toNanos();
    }

    private static void trip(GatewayClient model, GatewayHarness gateway) {
        eventually("calls to jira__get_issue open the breaker of jira", () -> {
            model.call("jira__get_issue", "{}");
            return gateway.state("jira") == State.OPEN;
        });
    }

    @Test
    void with_its_breaker_open_a_hanging_server_costs_the_workflow_no_time_and_no_other_call() throws Exception {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient model = GatewayClient.of(gateway);
            eventually(
                    "the workflow completes all steps",
                    () -> assertThat(done(model)).isEqualTo(STEPS));

            freezeJira();
            long begun = SingleServerHarness.PLATFORM.ticker().nanos();
            assertThat(done(model)).isEqualTo(STEPS.subList(2, 4));
            Duration without =
                    Duration.ofNanos(SingleServerHarness.PLATFORM.ticker().nanos() - begun);
            assertThat(without).isGreaterThan(CALL.multipliedBy(2));

            trip(model, gateway);
            // A busy machine is late now and then; a call that waited would be every time.
            eventually("the workflow fails fast without jira", () -> isQuickWithoutJira(model));
            JsonView refused = model.call("jira__add_comment", "{}");
            assertThat(Messages.kind(refused)).isEqualTo("breaker_open offline not_sent");
            assertThat(Messages.said(refused)).startsWith("Circuit breaker 'jira' is open");

            Files.delete(hanging("jira"));
            time.advance(Duration.ofSeconds(30));
            eventually(
                    "the workflow completes all steps",
                    () -> assertThat(done(model)).isEqualTo(STEPS));
            assertThat(gateway.state("jira")).isEqualTo(State.CLOSED);
        }
    }
}
