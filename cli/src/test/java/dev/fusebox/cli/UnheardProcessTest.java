package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.protocol.JsonView;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// F102: a stdio gateway whose standard error is closed or not read serves, writes only responses to standard
/// output, and exits.
///
/// Takes over five seconds on a busy machine: each test starts a gateway and fills its pipes.
@Tag("process")
@Timeout(120)
class UnheardProcessTest {
    private static final Platform PLATFORM = Platform.system();

    @TempDir
    private Path folder;

    /// A gateway before servers that end as soon as they have answered, which is worth a line in the log each
    /// time.
    private Process gateway(String shell) throws IOException {
        Path script = Files.writeString(folder.resolve("server.sh"), """
                while IFS= read -r line; do
                  case $line in *'"id":'*) ;; *) continue ;; esac
                  rest=${line#*'"id":'}
                  case $line in
                    *initialize*)
                      result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
                      result=$result'"serverInfo":{"name":"s","version":"1"}}' ;;
                    *tools/list*) result='{"tools":[{"name":"who","inputSchema":{"type":"object"}}]}' ;;
                    *) result='{"content":[{"type":"text","text":"me"}]}' ;;
                  esac
                  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "${rest%%[,\\}]*}" "$result"
                done
                """);
        Path config = Files.writeString(
                folder.resolve("config.json"),
                "{\"mcpServers\":{\"s\":{\"command\":\"/bin/sh\",\"args\":[\"" + script
                        + "\"],\"era\":\"legacy\",\"lifecycle\":\"ephemeral\"}},"
                        + "\"telemetry\":{\"logLevel\":\"debug\"}}");
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", shell, folder.toString()));
        command.addAll(RunningGateway.command("--config", config.toString(), "--expose", "proxy"));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("FUSEBOX_HOME", folder.resolve("home").toString());
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Dof.tools=1");
        return builder.start();
    }

    private static void say(Process gateway, String frame) throws IOException {
        gateway.getOutputStream().write((frame + "\n").getBytes(UTF_8));
        gateway.getOutputStream().flush();
    }

    /// The answer, before which nothing may come but what is a message, too.
    private static JsonView heard(BufferedReader answers, int id) throws IOException {
        JsonView frame;
        do {
            String line = answers.readLine();
            assertThat(line).as("what the gateway says").contains("\"jsonrpc\":\"2.0\"");
            frame = JsonView.of(line);
        } while (frame.member("id") == null);
        assertThat(frame.member("id").json()).isEqualTo("" + id);
        return frame;
    }

    private static void serves(Process gateway) throws Exception {
        Timer limit = PLATFORM.timers().schedule(Duration.ofSeconds(60), gateway::destroyForcibly);
        try (BufferedReader answers = gateway.inputReader(UTF_8)) {
            say(
                    gateway,
                    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                            + "\"protocolVersion\":\"2025-11-25\","
                            + "\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}");
            assertThat(heard(answers, 0).member("result")).isNotNull();
            say(gateway, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            for (int id = 1; id <= 20; id++) {
                say(
                        gateway,
                        "{\"jsonrpc\":\"2.0\",\"id\":" + id
                                + ",\"method\":\"tools/call\",\"params\":{\"name\":\"s__who\",\"arguments\":{}}}");
                assertThat(heard(answers, id).json()).contains("\"text\":\"me\"");
            }
            gateway.getOutputStream().close();
            assertThat(gateway.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(gateway.exitValue()).isZero();
        } finally {
            limit.cancel();
            gateway.destroyForcibly().waitFor();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "closed, 'exec \"$@\" 2>&-'",
        "on a disk that is full, 'exec \"$@\" 2>/dev/full'",
        "beside a log that cannot be written, 'mkdir -p \"$0/home\" && : >\"$0/home/log\" && exec \"$@\" 2>/dev/null'",
    })
    void gateway_with_closed_stderr_serves(String how, String shell) throws Exception {
        serves(gateway(shell));
    }

    @Test
    void gateway_with_unread_stderr_serves_and_exits() throws Exception {
        // There is room in the pipe for what a JVM says before it runs, and for no log.
        serves(gateway("head -c 65000 /dev/zero >&2; exec \"$@\""));
    }
}
