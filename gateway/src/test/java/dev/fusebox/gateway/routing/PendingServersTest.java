package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.SemanticMode;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.tools.DiscoverTool;
import dev.fusebox.gateway.tools.ToolSearch;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server is being added: everybody sees that, and calls to it wait.
@Tag("process")
@Timeout(120)
class PendingServersTest {
    private static final String CALL = "{\"server\":\"new\",\"tool\":\"echo\",\"args\":{\"text\":\"hi\"}}";

    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    private GatewayHarness gateway() {
        ExposurePolicy exposurePolicy = new ExposurePolicy(
                false,
                Set.of(),
                List.of(
                        new DiscoverTool(new ToolSearch(SingleServerHarness.PLATFORM, SemanticMode.OFF), 10),
                        new CallTool()));
        return GatewayHarness.plan()
                .exposure(exposurePolicy)
                .lifecycleListener((server, event) -> {
                    if (event instanceof LifecycleEvent.StatusChanged change) {
                        told.add(change.previous() + " > " + change.status());
                    }
                })
                .open();
    }

    private static FutureTask<String> calling(GatewayHarness gateway) {
        FutureTask<String> call = new FutureTask<>(
                () -> GatewayClient.of(gateway).call("mcp_call", CALL).json());
        Thread.ofVirtual().start(call);
        return call;
    }

    @Test
    void a_call_to_a_server_that_is_being_added_waits_for_it() throws Exception {
        try (GatewayHarness gateway = gateway()) {
            assertThat(gateway.servers().pendingServers().expect("new")).isTrue();
            assertThat(gateway.servers().pendingServers().expect("new")).isFalse();
            assertThat(GatewayClient.of(gateway).call("mcp_discover", "{}").json())
                    .contains("\"status\":\"provisioning\"");
            FutureTask<String> call = calling(gateway);
            eventually(
                    "a call is waiting for the server to join",
                    () -> assertThat(gateway.servers().pendingServers().waiting())
                            .isGreaterThan(0));
            assertThat(call.isDone()).isFalse();
            gateway.reload(List.of(gateway.added(TestServer.of("new", ServerScript.faultless()))), Duration.ZERO);
            assertThat(call.get()).contains("\"hi\"");
            eventually(
                    "the server has gone from syncing_tools to online",
                    () -> assertThat(told).contains("syncing_tools > online"));
            assertThat(told)
                    .startsWith(
                            "awaiting_user_config > provisioning",
                            "provisioning > command_received",
                            "command_received > connecting",
                            "connecting > discovering_tools");
        }
    }

    @Test
    void withdrawn_server_is_reported_and_ends_all_waits() throws Exception {
        try (GatewayHarness gateway = gateway()) {
            gateway.servers().pendingServers().expect("new");
            FutureTask<String> call = calling(gateway);
            eventually(
                    "a call is waiting for the server to join",
                    () -> assertThat(gateway.servers().pendingServers().waiting())
                            .isGreaterThan(0));
            gateway.servers().pendingServers().abandon("new", "the disk is full");
            assertThat(call.get()).contains("\"code\":\"unknown_server\"");
            assertThat(told).containsExactly("awaiting_user_config > provisioning", "provisioning > error");
        }
    }
}
