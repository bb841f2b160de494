package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A server at a `url` that speaks the transport of revision 2024-11-05 only. It is another gateway, at the path
/// for clients of that revision, where a POST is answered with 405.
@Tag("process")
@Timeout(60)
class OlderTransportTest {
    @ParameterizedTest
    @EnumSource
    void url_that_refuses_the_handshake_is_used_over_the_older_transport_by_clients_of_both_eras(EitherClient.Way way) {
        try (GatewayHarness behind = GatewayHarness.plan()
                .server("far", SingleServerHarness.script(Era.LEGACY))
                .open()) {
            URI url = URI.create("http://localhost:" + behind.port() + "/sse");
            try (GatewayHarness gateway = GatewayHarness.plan()
                            .server(TestServer.at("near", url))
                            .open();
                    EitherClient client = new EitherClient(gateway, way)) {
                assertThat(Messages.said(client.call("near__far__echo", "{\"text\":\"over there\"}")))
                        .isEqualTo("over there");
            }
        }
    }
}
