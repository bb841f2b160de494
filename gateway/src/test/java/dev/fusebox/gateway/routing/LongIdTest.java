package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.routing.EitherClient.Way;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What clients choose themselves, and the gateway keeps while it works, is bounded.
@Timeout(60)
class LongIdTest {
    @ParameterizedTest
    @EnumSource
    void request_with_an_id_of_more_than_a_kilobyte_is_refused_and_the_next_one_is_answered(Way way) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .exposure(new ExposurePolicy(false, Set.of(), List.of(new CallTool())))
                        .open();
                EitherClient client = new EitherClient(gateway, way)) {
            String request = client.request(Messages.tool("mcp_call", "{}"));
            String id = Messages.at(Messages.read(request), "id").json();
            String longer = request.replace("\"id\":" + id + ",", "\"id\":\"" + "x".repeat(1_023) + "\",");
            assertThat(longer).hasSizeGreaterThan(1_024);
            JsonView refused = client.wire().answer(longer);
            assertThat(Messages.at(refused, "error", "code").json()).isEqualTo("-32600");
            assertThat(Messages.text(refused, "error", "message")).contains("\"id\" is longer than 1024 bytes");
            assertThat(client.call("mcp_call", "{}").json()).contains("invalid_arguments");
        }
    }
}
