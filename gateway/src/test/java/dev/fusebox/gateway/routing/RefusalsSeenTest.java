package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.gateway.upstream.UpstreamServer;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Calls that are refused before they come to a lane are seen like all others.
@Tag("process")
@Timeout(120)
class RefusalsSeenTest {
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    private GatewayHarness gateway() {
        return GatewayHarness.plan()
                .server(TestServer.of("one", SingleServerHarness.script(Era.LEGACY))
                        .lifecycle(old -> new LifecycleSettings(
                                true,
                                new LifecycleSettings.Crashes(1, Duration.ofMinutes(5), true),
                                old.restartDelays(),
                                old.polls())))
                .absent(new UnavailableServer("off", CallFailure.policy(ErrorId.SERVER_DISABLED, "off is disabled")))
                .callObserver(this::see)
                .open();
    }

    private CallObserver.Observation see(String server, PipelineCall call) {
        return outcome -> {
            if (call.kind().proves() && outcome instanceof Outcome.Failed(CallFailure failure)) {
                seen.add(server + " " + call.kind().tool() + " " + failure.code());
            }
        };
    }

    @Test
    void call_rejected_before_its_pipeline_is_counted_once() {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("one__slow");
            client.call("one__slow", "{\"ms\":\"soon\"}");
            client.call("off__any", "{}");
            client.call("one__crash", "{}");
            UpstreamServer one = gateway.server("one");
            eventually(
                    "the server is permanently failed",
                    () -> assertThat(one.health().status()).isEqualTo(ServerStatus.PERMANENTLY_FAILED));
            client.call("one__slow", "{\"ms\":1}");
            assertThat(List.copyOf(seen))
                    .containsExactly(
                            "one slow invalid_arguments",
                            "off null server_disabled",
                            "one crash server_crashed",
                            "one slow permanently_failed");
        }
    }

    @Test
    void calls_for_what_is_not_there_are_seen_once_and_invented_servers_have_no_name() {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("one__slow");
            client.call("nobody__slow", "{}");
            client.call("one__nothing", "{}");
            client.call("nothing", "{}");
            assertThat(List.copyOf(seen))
                    .containsExactly(" null unknown_server", "one null unknown_tool", " null unknown_tool");
        }
    }

    @Test
    void mcp_call_to_server_that_cannot_start_is_counted_once() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .process("dead", ChildSpec.of("/no/such/command"))
                .exposure(CallToolTest.META)
                .callObserver(this::see)
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.call("mcp_call", "{\"server\":\"dead\",\"tool\":\"any\"}");
            assertThat(List.copyOf(seen)).containsExactly("dead null connect_failed");
        }
    }
}
