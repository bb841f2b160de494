package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayStateTest {
    @TempDir
    Path folder;

    private String clients(String members) {
        OwnerClient client = new OwnerClient(Platform.system(), folder.resolve("7.sock"));
        return GatewayState.of(
                        new RunningGateways.Gateway(7, client, false), JsonView.of("{" + members + "\"servers\":[]}"))
                .clients();
    }

    @Test
    void kind_of_a_gateway_and_its_clients_are_named() {
        String shared = "shared gateway of the stdio clients of this file; ";
        assertThat(clients("\"kind\":\"shared\",\"clientCount\":2,")).isEqualTo(shared + "2 clients connected");
        assertThat(clients("\"kind\":\"shared\",\"clientCount\":1,")).isEqualTo(shared + "1 client connected");
        assertThat(clients("\"kind\":\"shared\",\"clientCount\":0,\"endsInMs\":540001,"))
                .isEqualTo(shared + "no client connected, ends in 10 minutes");
        assertThat(clients("\"kind\":\"shared\",\"clientCount\":0,\"endsInMs\":60000,"))
                .isEqualTo(shared + "no client connected, ends within a minute");
        assertThat(clients("\"kind\":\"stdio\",")).isEqualTo("gateway of one stdio client");
        assertThat(clients("\"kind\":\"http\",")).isEqualTo("HTTP gateway");
        assertThat(clients("\"kind\":\"http\",\"clientCount\":0,"))
                .isEqualTo("HTTP gateway, shared with stdio clients; no client connected");
        assertThat(clients("")).as("of a gateway that does not report it").isEmpty();
    }

    @Test
    void gateway_that_does_not_respond_is_not_said_to_have_no_configuration_file() {
        OwnerClient client = new OwnerClient(Platform.system(), folder.resolve("7.sock"));
        GatewayState state = GatewayState.of(new RunningGateways.Gateway(7, client, false), Duration.ofSeconds(5));
        assertThat(state.title()).isEqualTo("gateway 7, not responding");
        assertThat(state.isServing()).isFalse();
    }
}
