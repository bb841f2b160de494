package dev.fusebox.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.HostEnvironment;
import dev.fusebox.config.ReadResult;
import dev.fusebox.platform.Platform;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabelServicesTest {
    private static final String SERVERS =
            "{\"mcpServers\":{\"one\":{\"command\":\"server\"},\"two\":{\"command\":\"server\"}},"
                    + "\"expose\":\"proxy\",\"discovery\":{\"semantic\":\"off\"}}";

    @Test
    void service_of_a_label_stays_equal_so_that_its_requests_use_one_endpoint() throws GatewayException {
        ReadResult.Usable read = (ReadResult.Usable)
                ConfigFile.read(new HostEnvironment(Map.of()), Path.of("f.json"), SERVERS.getBytes(UTF_8));
        try (GatewayCore gateway = GatewayCore.open(
                Platform.system().withEnvironment(Map.of()), read.configuration(), CoreOptions.of(ServeMode.TO_MANY))) {
            LabelServices services = new LabelServices(gateway::everywhere);
            assertThat(services.find("one")).isNotNull().isEqualTo(services.find("one"));
            assertThat(services.find("three")).isNull();
            assertThat(services.names()).containsExactly("one", "two");
        }
    }
}
