package dev.fusebox.examples.embedding;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The example with a real server, in this process.
@Tag("process")
class EmbeddedGatewayTest {
    @TempDir
    private Path folder;

    private Path config() throws Exception {
        String command = ScriptedServer.stdio(ServerScript.faultless()).stream()
                .map(word -> "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(","));
        String server = "{\"command\":" + command.replaceFirst(",", ",\"args\":[") + "]}";
        return Files.writeString(
                folder.resolve("servers.json"),
                "{\"mcpServers\":{\"one\":" + server + "},\"expose\":\"proxy\",\"http\":{\"port\":0}}");
    }

    private static long childProcesses() {
        return ProcessHandle.current().descendants().count();
    }

    /// Virtual threads included.
    private long threadsOfTheGateway() throws Exception {
        Path dump = folder.resolve("threads");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
        try (Stream<String> lines = Files.lines(dump)) {
            return lines.filter(line -> line.startsWith("#") && line.contains("\"fusebox"))
                    .count();
        } finally {
            Files.delete(dump);
        }
    }

    @Test
    @Timeout(120)
    void example_lists_tools_of_a_real_server_and_leaves_nothing() throws Exception {
        Path config = config();
        long before = childProcesses();
        var printed = new ByteArrayOutputStream();

        EmbeddedGateway.run(config, new PrintStream(printed, true, StandardCharsets.UTF_8));

        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("\"result\"", "one__echo");
        eventually("no child process is left", () -> childProcesses() == before);
        eventually("no thread is left", () -> {
            try {
                return threadsOfTheGateway() == 0;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        assertThat(folder).isDirectoryContaining(config::equals).isDirectoryNotContaining(file -> !file.equals(config));
    }
}
