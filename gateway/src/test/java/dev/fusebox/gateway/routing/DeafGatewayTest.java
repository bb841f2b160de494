package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.FailingProcesses;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// F101: the thread that hears what a server says dies of a fault of ours, with calls under way.
@Tag("process")
@Timeout(60)
class DeafGatewayTest {
    private static final String MARK = "READING_FAILS";

    private final AtomicBoolean deaf = new AtomicBoolean();

    private static FutureTask<JsonView> begun(GatewayHarness gateway, String tool, String arguments) {
        GatewayClient client = GatewayClient.of(gateway);
        FutureTask<JsonView> call = new FutureTask<>(() -> client.call(tool, arguments));
        Thread.ofVirtual().start(call);
        return call;
    }

    private static void eventuallyAsked(GatewayHarness gateway, String server, String times) {
        eventually(
                "slow of " + server + " is called " + times + " times",
                () -> assertThat(Messages.said(
                                GatewayClient.of(gateway).call(server + "__count", "{\"tool\":\"slow\"}")))
                        .isEqualTo(times));
    }

    @Test
    void all_calls_in_flight_fail_and_the_next_uses_a_new_process() throws Exception {
        // Only for one server: the other may write at any time.
        Platform platform = FailingProcesses.in(
                SingleServerHarness.PLATFORM,
                program -> program.environment().containsKey(MARK),
                "readOut",
                () -> deaf.getAndSet(false));
        ChildSpec marked = SingleServerHarness.server(SingleServerHarness.script(Era.MODERN))
                .withEnv(Map.of(MARK, "yes"));
        GatewayHarness.Plan plan = GatewayHarness.plan(platform)
                .server(TestServer.of("one", marked))
                .server(TestServer.of("other", SingleServerHarness.script(Era.MODERN)));
        try (GatewayHarness gateway = plan.open()) {
            GatewayClient client = GatewayClient.of(gateway);
            FutureTask<JsonView> elsewhere = begun(gateway, "other__slow", "{\"ms\":3000}");
            List<FutureTask<JsonView>> waiting = List.of(
                    begun(gateway, "one__slow", "{\"ms\":20000}"), begun(gateway, "one__slow", "{\"ms\":20000}"));
            eventuallyAsked(gateway, "one", "2");
            eventuallyAsked(gateway, "other", "1");
            int processes = gateway.processes().size();
            deaf.set(true);
            // The thread fails as it reads this answer.
            FutureTask<JsonView> unheard = begun(gateway, "one__echo", "{}");
            for (FutureTask<JsonView> call : waiting) {
                assertThat(Messages.kind(call.get())).endsWith(" unknown");
            }
            assertThat(unheard.get()).isNotNull();
            assertThat(Messages.said(elsewhere.get())).isEqualTo("waited 3000 ms");
            eventually(
                    "a call to one__echo succeeds",
                    () -> assertThat(Messages.said(client.call("one__echo", "{\"text\":\"up\"}")))
                            .isEqualTo("up"));
            // A process that has never heard of those calls.
            eventuallyAsked(gateway, "one", "0");
            eventually(
                    "the expected number of processes is running",
                    () -> assertThat(gateway.processes()).hasSize(processes));
        }
    }
}
