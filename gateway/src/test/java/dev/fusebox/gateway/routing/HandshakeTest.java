package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.State;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.protocol.JsonView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server that nobody here can speak with, among others.
@Tag("process")
@Timeout(120)
class HandshakeTest {
    private static final String REFUSED = "connect_failed other not_sent";

    private static GatewayHarness with(TestServer odd) {
        return GatewayHarness.plan()
                .server(odd)
                .server("well", SingleServerHarness.script(Era.LEGACY))
                .open();
    }

    private static TestServer answering(String result) {
        String shell = "read line; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}'; "
                + "while read line; do :; done";
        return TestServer.of("odd", ChildSpec.of("/bin/sh", "-c", shell)).with(EraPolicy.SESSION);
    }

    /// No call waits for it, its process does not stay, and it is not started forever.
    private static void assertLetGo(GatewayHarness gateway, String reason) {
        GatewayClient client = GatewayClient.of(gateway);
        JsonView refused = client.call("odd__echo", "{}");
        assertThat(Messages.kind(refused)).isEqualTo(REFUSED);
        assertThat(Messages.said(refused)).contains(reason);
        assertThat(Messages.said(client.call("well__echo", "{\"text\":\"here\"}")))
                .isEqualTo("here");
        eventually("calls to odd__echo open the breaker of odd", () -> {
            client.call("odd__echo", "{}");
            return gateway.state("odd") == State.OPEN;
        });
        eventually(
                "one server process is running",
                () -> assertThat(gateway.processes()).hasSize(1));
    }

    @Test
    void server_of_unknown_revision_is_disconnected_with_the_reason_and_counts_as_failed() {
        TestServer odd = TestServer.of("odd", SingleServerHarness.script(Era.LEGACY, "protocol-version=1999-12-31"));
        try (GatewayHarness gateway = with(odd)) {
            assertLetGo(gateway, "with protocol revision \"1999-12-31\"");
        }
    }

    @Test
    void a_server_that_names_no_revision_is_let_go_with_the_reason_and_counts_as_failed() {
        try (GatewayHarness gateway = with(answering("\"welcome\""))) {
            assertLetGo(gateway, "without a protocol revision");
        }
        try (GatewayHarness gateway = with(answering("null"))) {
            assertLetGo(gateway, "without a protocol revision");
        }
    }
}
