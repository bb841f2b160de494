package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The demo as a process of its own, on the real clock.
@Tag("process")
@Timeout(120)
class DemoCommandProcessTest {
    private static final int AFTER_SIGINT = 130;

    /// Over five seconds: the story takes its time.
    @Test
    void demo_into_a_pipe_has_no_color_and_exits_with_0() throws Exception {
        try (Launch demo = Launch.start(demo(), "")) {
            Launch.Result result = demo.finish();

            assertThat(result.err()).isEmpty();
            assertThat(result.code()).isZero();
            String story = String.join(" ", result.out()).replaceAll(" +", " ");
            assertThat(story)
                    .containsSubsequence(
                            "flaky__forecast and fails:",
                            "server_crashed",
                            "this tool has crashed its server (3 times",
                            "tool_breaker_open",
                            "After five failed starts",
                            "absent/any and fails: connect_failed",
                            "absent/any and fails: breaker_open");
            assertThat(story)
                    .contains(
                            "mcp_discover for tools",
                            "crashing/crash,",
                            "Hello, Ada!",
                            "server_crashed",
                            "breaker_open",
                            "Sunny, at last.");
            assertThat(result.out()).endsWith("All steps succeeded.").noneMatch(line -> line.contains("\u001b"));
        }
    }

    /// Over five seconds: the story takes its time.
    @Test
    void gateway_of_the_demo_is_listed_by_status_until_it_ends(@TempDir Path home) throws Exception {
        List<String> command = demo().command();
        ProcessBuilder builder = new ProcessBuilder(command.subList(0, command.size() - 1));
        builder.environment().put("FUSEBOX_HOME", home.toString());
        Process demo = limited(builder.start());
        try (BufferedReader lines = demo.inputReader(StandardCharsets.UTF_8)) {
            awaitLine(lines, "The gateway keeps serving at");
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
            Platform platform = Platform.system().withEnvironment(Map.of("FUSEBOX_HOME", home.toString()));
            new GatewayCommands(platform).status(List.of(), new CommandOutput(to, to, false));
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .startsWith("gateway " + demo.pid() + ", without a configuration file\n")
                    .contains("  healthy   online");
            Process kill = new ProcessBuilder("kill", "-INT", String.valueOf(demo.pid())).start();
            assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(demo.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(demo.exitValue()).isEqualTo(AFTER_SIGINT);
            assertThat(home.resolve("run/" + demo.pid() + ".sock")).doesNotExist();
        } finally {
            demo.destroyForcibly();
        }
    }

    @Test
    void an_interrupt_from_the_keyboard_ends_it_at_once() throws Exception {
        Process demo = limited(demo().start());
        try (BufferedReader lines = demo.inputReader(StandardCharsets.UTF_8)) {
            awaitLine(lines, "It begins to fail");
            Process kill = new ProcessBuilder("kill", "-INT", String.valueOf(demo.pid())).start();

            assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(demo.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(demo.exitValue()).isEqualTo(AFTER_SIGINT);
            // Two cooldowns follow. On a machine that stalls, the first may be over before the interrupt.
            assertThat(lines.lines().filter(line -> line.contains("-> half-open")))
                    .hasSizeLessThan(2);
        } finally {
            demo.destroyForcibly();
        }
    }

    /// Kills the process after a minute, which ends a wait for a line that is never printed.
    private static Process limited(Process demo) {
        CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES).execute(demo::destroyForcibly);
        return demo;
    }

    private static void awaitLine(BufferedReader lines, String text) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.contains(text)) {
            line = lines.readLine();
        }
        assertThat(line).contains(text);
    }

    private static ProcessBuilder demo() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = Stream.of("jdk.module.path", "java.class.path")
                .map(System::getProperty)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(File.pathSeparator));
        return new ProcessBuilder(SignalMasks.reset(List.of(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx128m",
                "-cp",
                classes,
                Main.class.getName(),
                "demo",
                "--script")));
    }
}
