package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayStateTest {
    @TempDir
    Path folder;

    @Test
    void gateway_that_does_not_respond_is_not_said_to_have_no_configuration_file() {
        OwnerClient client = new OwnerClient(Platform.system(), folder.resolve("7.sock"));
        GatewayState state = GatewayState.of(new RunningGateways.Gateway(7, client, false), Duration.ofSeconds(5));
        assertThat(state.title()).isEqualTo("gateway 7, not responding");
        assertThat(state.isServing()).isFalse();
    }
}
