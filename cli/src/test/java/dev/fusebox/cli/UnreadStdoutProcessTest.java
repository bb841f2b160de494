package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.condition.OS.LINUX;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.protocol.JsonView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.io.TempDir;

/// A stdio gateway on one processor, so with a single carrier of virtual threads, whose client does not read its
/// responses. Takes over five seconds on a busy machine: it starts a gateway and fills its pipe.
@Tag("process")
@Timeout(120)
@EnabledOnOs(LINUX)
class UnreadStdoutProcessTest {
    private static final Platform PLATFORM = Platform.system();
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /// Fewer than wait for a server at the same time by default.
    private static final int GROUP = 25;

    /// Their responses are ten times what a pipe holds.
    private static final int CALLS = 600;

    @TempDir
    private Path folder;

    /// The server records each call in a file and answers it with a kilobyte.
    private Process gateway(Path executed) throws IOException {
        Path script = Files.writeString(folder.resolve("server.sh"), """
                text=x
                for i in 1 2 3 4 5 6 7 8 9 10; do text=$text$text; done
                while IFS= read -r line; do
                  case $line in *'"id":'*) ;; *) continue ;; esac
                  rest=${line#*'"id":'}
                  case $line in
                    *initialize*)
                      result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
                      result=$result'"serverInfo":{"name":"s","version":"1"}}' ;;
                    *tools/list*) result='{"tools":[{"name":"who","inputSchema":{"type":"object"}}]}' ;;
                    *) result='{"content":[{"type":"text","text":"'$text'"}]}'
                      echo call >>"$0.executed" ;;
                  esac
                  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "${rest%%[,\\}]*}" "$result"
                done
                """);
        Files.createFile(executed);
        Path config = Files.writeString(
                folder.resolve("config.json"),
                "{\"mcpServers\":{\"s\":{\"command\":\"/bin/sh\",\"args\":[\"" + script + "\"],\"era\":\"legacy\"}}}");
        ProcessBuilder builder =
                new ProcessBuilder(RunningGateway.command("--config", config.toString(), "--expose", "proxy"));
        builder.environment().put("FUSEBOX_HOME", folder.resolve("home").toString());
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:ActiveProcessorCount=1");
        builder.redirectError(folder.resolve("stderr").toFile());
        return builder.start();
    }

    private static void say(Process gateway, String frame) throws IOException {
        gateway.getOutputStream().write((frame + "\n").getBytes(UTF_8));
        gateway.getOutputStream().flush();
    }

    /// How often the process has its standard output open: twice once it has written to it without blocking.
    private static long openings(Process gateway) throws IOException {
        Path descriptors = Path.of("/proc", Long.toString(gateway.pid()), "fd");
        Path output = Files.readSymbolicLink(descriptors.resolve("1"));
        try (Stream<Path> all = Files.list(descriptors)) {
            return all.filter(link -> output.equals(target(link))).count();
        }
    }

    /// Null if the descriptor has been closed meanwhile.
    private static @Nullable Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException closed) {
            return null;
        }
    }

    private static long lines(Path file) {
        try {
            return Files.size(file) / "call\n".length();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void calls_run_while_responses_are_unread_and_every_response_arrives_later() throws Exception {
        Path executed = folder.resolve("server.sh.executed");
        Process gateway = gateway(executed);
        Timer limit = PLATFORM.timers().schedule(LIMIT, gateway::destroyForcibly);
        try (BufferedReader answers = gateway.inputReader(UTF_8)) {
            say(
                    gateway,
                    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                            + "\"protocolVersion\":\"2025-11-25\","
                            + "\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}");
            assertThat(answers.readLine()).contains("\"id\":0");
            assertThat(openings(gateway)).as("openings of standard output").isEqualTo(2);
            say(gateway, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            for (int id = 1; id <= CALLS; id++) {
                say(
                        gateway,
                        "{\"jsonrpc\":\"2.0\",\"id\":" + id
                                + ",\"method\":\"tools/call\",\"params\":{\"name\":\"s__who\",\"arguments\":{}}}");
                if (id % GROUP == 0) {
                    int sent = id;
                    assertThat(PLATFORM.await(LIMIT, () -> isExecuted(executed, sent)))
                            .isTrue();
                }
            }
            assertThat(ids(answers)).hasSize(CALLS);
        } finally {
            limit.cancel();
            gateway.destroyForcibly().waitFor();
        }
    }

    /// Checked every few milliseconds, because no one wakes the thread that waits.
    private static boolean isExecuted(Path executed, int calls) {
        if (lines(executed) >= calls) {
            return true;
        }
        PLATFORM.timers().schedule(Duration.ofMillis(5), wakes(Thread.currentThread()));
        return false;
    }

    private static Runnable wakes(Thread waiting) {
        return () -> LockSupport.unpark(waiting);
    }

    /// Of successful responses, each one whole line.
    private static Set<Integer> ids(BufferedReader answers) throws IOException {
        Set<Integer> ids = new HashSet<>();
        while (ids.size() < CALLS) {
            JsonView frame = JsonView.of(answers.readLine());
            if (frame.member("id") != null) {
                assertThat(frame.member("result")).isNotNull();
                assertThat(ids.add(Integer.valueOf(frame.member("id").json()))).isTrue();
            }
        }
        return ids;
    }
}
