package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// F76: a gateway that is started with a file that it cannot use. (For one that runs see [ReloadProcessTest].)
@Tag("process")
@Timeout(120)
class WrongFileProcessTest {
    @TempDir
    private Path folder;

    private Process serving(String config) throws IOException {
        Path file = Files.writeString(folder.resolve("config.json"), config);
        return new ProcessBuilder(Launched.command("serve", "--config", file.toString())).start();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            delimiter = ';',
            value = {
                "^{\"mcpServers\":{\"a\":{\"command\" \"true\"}}}^; 1:31",
                "^{\"mcpServers\":{}\n,\n  \"pool\" {}}^; 3:10",
                "^{\"mcpServers\":{}^; 1:17",
                "^{\"mcpServers\":{},\"pool\":{\"poolSize\":0}}^; 1:37",
                "^{\"mcpServers\":{\"ok\":{\"command\":\"true\"},\"Fusebox\":{\"command\":\"true\"}}}^; 1:40",
                "^{\"mcpServers\":{\"mcp_call\":{\"command\":\"true\"}}}^; 1:16",
                "^{\"mcpServers\":{\"-\":{\"command\":\"true\"}}}^; 1:16",
                "^^; 1:1"
            })
    void invalid_file_prevents_start_with_location(String config, String place) throws Exception {
        Process gateway = serving(config);
        try {
            assertThat(gateway.waitFor(60, TimeUnit.SECONDS)).isTrue();
            String said = new String(gateway.getErrorStream().readAllBytes(), UTF_8);
            assertThat(gateway.exitValue()).as(said).isEqualTo(2);
            assertThat(said).contains("config.json:" + place + ":");
            assertThat(gateway.getInputStream().readAllBytes()).isEmpty();
        } finally {
            gateway.destroyForcibly();
        }
    }

    @Test
    void file_without_servers_is_valid() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder)) {
            assertThat(gateway.tools()).isEmpty();
            gateway.server("a", "1").save();
            eventually(
                    "tool a__who is listed", () -> assertThat(gateway.tools()).contains("a__who"));
        }
    }
}
