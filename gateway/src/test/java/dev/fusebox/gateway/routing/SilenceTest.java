package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.State;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.testkit.ManualTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Five calls that nobody answered: whether the server gives a sign of life then decides who is to blame.
///
/// Over five seconds: the calls take all the time that they have.
@Tag("process")
@Timeout(120)
class SilenceTest {
    private static final Duration CALL = Duration.ofMillis(400);
    private static final BreakerName SERVER = BreakerName.of("quiet");
    private static final BreakerName TOOL = SERVER.tool("slow");

    /// Longer than anybody waits.
    private static final String SLOW = "{\"ms\":600000}";

    /// Shakes hands, and then says nothing.
    static final String MUTE = "read line; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":"
            + "\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"mute\",\"version\":\"1\"}}}'; "
            + "while read line; do :; done";

    @TempDir
    private Path folder = Path.of("");

    private final ManualTime time = new ManualTime();

    private GatewayHarness gateway(Duration ping) {
        return GatewayHarness.plan()
                .breakersIn(time)
                .server(TestServer.of("quiet", SingleServerHarness.noting(folder.resolve("journal"), Era.LEGACY))
                        .within(CALL)
                        .pipeline(pipeline -> pipeline.withPing(ping)))
                .open();
    }

    private static GatewayClient greeted(GatewayHarness gateway) {
        GatewayClient client = GatewayClient.of(gateway);
        eventually(
                "a call to quiet__echo succeeds",
                () -> assertThat(client.call("quiet__echo", "{}").path("result", "_meta", "fusebox/error"))
                        .isNull());
        // Until then nobody knows what tools there are to be blamed.
        client.eventuallySees("quiet__slow");
        return client;
    }

    /// One call that is sent and not answered. One that a busy machine did not get to send in its time counts
    /// nowhere.
    private static void timesOut(GatewayClient client) {
        eventually("a timed out call finds the server offline", () -> {
            String kind = Messages.kind(client.call("quiet__slow", SLOW));
            assertThat(kind).startsWith("timeout ");
            return kind.equals("timeout offline unknown");
        });
    }

    /// The same for a server whose lists are not answered either, which may open its breaker before the fifth call.
    private static void isUnanswered(GatewayClient client) {
        eventually("a call times out, or finds the breaker open", () -> {
            String kind = client.failure("quiet__slow");
            assertThat(kind).isIn("timeout offline unknown", "breaker_open offline not_sent");
        });
    }

    private long executions() throws Exception {
        return Files.readAllLines(folder.resolve("journal")).stream()
                .filter(line -> line.endsWith(" slow"))
                .count();
    }

    @Test
    void with_a_sign_of_life_the_breaker_of_that_tool_opens_at_the_fifth_and_all_others_stay_closed() throws Exception {
        try (GatewayHarness gateway = gateway(Duration.ofSeconds(20))) {
            GatewayClient client = greeted(gateway);
            for (int i = 1; i <= 5; i++) {
                timesOut(client);
                long counted = i;
                eventually(
                        "the failure is counted against the tool",
                        () -> assertThat(gateway.breaker(TOOL).failureCount()).isEqualTo(counted));
            }
            eventually(
                    "the breaker of the tool is open",
                    () -> assertThat(gateway.breaker(TOOL).state()).isEqualTo(State.OPEN));
            assertThat(Messages.kind(client.call("quiet__slow", SLOW)))
                    .startsWith("tool_breaker_open")
                    .endsWith("not_sent");
            assertThat(executions()).isEqualTo(5);
            eventually(
                    "another tool answers",
                    () -> assertThat(Messages.said(client.call("quiet__echo", "{\"text\":\"here\"}")))
                            .isEqualTo("here"));
            assertThat(gateway.state("quiet")).isEqualTo(State.CLOSED);
            assertThat(gateway.breaker(SERVER).failureCount()).isZero();
        }
    }

    @Test
    void without_one_the_breaker_of_the_server_opens_at_the_fifth() throws Exception {
        ChildSpec mute = ChildSpec.of("/bin/sh", "-c", MUTE);
        TestServer testServer = TestServer.of("quiet", mute)
                .with(EraPolicy.SESSION)
                .within(CALL)
                .pipeline(pipeline -> pipeline.withPing(Duration.ofMillis(300)));
        try (GatewayHarness gateway =
                GatewayHarness.plan().breakersIn(time).server(testServer).open()) {
            GatewayClient client = GatewayClient.of(gateway);
            for (int i = 1; i <= 5; i++) {
                isUnanswered(client);
                long counted = i;
                eventually(
                        "the failure is counted against the server",
                        () -> assertThat(gateway.breaker(SERVER).failureCount()).isGreaterThanOrEqualTo(counted));
            }
            eventually(
                    "the breaker of quiet is open",
                    () -> assertThat(gateway.state("quiet")).isEqualTo(State.OPEN));
            assertThat(client.failure("quiet__echo")).isEqualTo("breaker_open offline not_sent");
        }
    }

    @Test
    void a_process_that_froze_is_one_failure_and_the_next_call_meets_a_fresh_one() throws Exception {
        try (GatewayHarness gateway = gateway(Duration.ofMillis(300))) {
            GatewayClient client = greeted(gateway);
            freeze();
            timesOut(client);
            eventually(
                    "the failure is counted against the server or the tool",
                    () -> gateway.breaker(SERVER).failureCount() == 1
                            || gateway.breaker(TOOL).failureCount() == 1);
            if (gateway.breaker(TOOL).failureCount() == 1) {
                // What it had said before it froze was heard after the call. Nothing more can come.
                timesOut(client);
            }
            eventually(
                    "one failure is counted against the server",
                    () -> assertThat(gateway.breaker(SERVER).failureCount()).isEqualTo(1));
            eventually(
                    "a call to quiet__echo succeeds",
                    () -> assertThat(client.call("quiet__echo", "{}").path("result", "_meta", "fusebox/error"))
                            .isNull());
            assertThat(gateway.state("quiet")).isEqualTo(State.CLOSED);
        }
    }

    /// The process lives, and says nothing to anybody.
    private void freeze() throws Exception {
        List<String> calls = Files.readAllLines(folder.resolve("journal"));
        String process = calls.getLast().split(" ", -1)[1];
        assertThat(new ProcessBuilder("kill", "-STOP", process).start().waitFor())
                .isZero();
    }
}
