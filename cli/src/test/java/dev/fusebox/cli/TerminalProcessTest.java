package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a person sees at a terminal while a command waits, and what is left there when it has ended.
///
/// Over five seconds: progress is shown only after a while.
@Tag("process")
@Timeout(120)
class TerminalProcessTest {
    /// Answers a call when it may.
    private static final String SERVER = """
            #!/bin/sh
            while IFS= read -r line; do
                case $line in *'"id":'*) ;; *) continue ;; esac
                id=${line#*'"id":'}
                case $line in
                    *'"initialize"'*)
                        result='"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
                        result=$result'"serverInfo":{"name":"s","version":"1"}' ;;
                    *'"tools/list"'*) result='"tools":[{"name":"wait","inputSchema":{"type":"object"}}]' ;;
                    *'"tools/call"'*)
                        : >"${0%/*}/called"
                        while [ ! -e "${0%/*}/go" ]; do sleep 0.02; done
                        result='"content":[{"type":"text","text":"done at last"}]' ;;
                    *) result= ;;
                esac
                printf '{"jsonrpc":"2.0","id":%s,"result":{%s}}\\n' "${id%%[,\\}]*}" "$result"
            done
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void write() {
        Disk.write(folder.resolve("server"), SERVER, true);
        Disk.write(
                folder.resolve("config.json"),
                "{\"mcpServers\":{\"s\":{\"command\":\"" + folder.resolve("server") + "\",\"era\":\"legacy\"}}}",
                false);
    }

    private Terminal at(List<String> flags, String... words) throws Exception {
        return Terminal.run(Map.of("FUSEBOX_HOME", folder.resolve("home").toString()), Launched.with(flags, words));
    }

    private Terminal calling(String... flags) throws Exception {
        return at(
                List.of(flags),
                "call",
                "s",
                "wait",
                "--config",
                folder.resolve("config.json").toString());
    }

    @Test
    void progress_is_shown_and_erased_at_end() throws Exception {
        try (Terminal terminal = calling("-Dfusebox.progress=true")) {
            eventually(
                    "the terminal shows a wait of 2 s",
                    () -> assertThat(terminal.written()).contains("\rcalling s/wait ... 2 s"));
            Files.createFile(folder.resolve("go"));
            assertThat(terminal.finish()).as(terminal.written()).isZero();
            assertThat(terminal.written()).doesNotContain("\u001b");
            assertThat(terminal.screen()).containsExactly("done at last");
        }
    }

    @Test
    void interrupt_erases_progress() throws Exception {
        try (Terminal terminal = calling("-Dfusebox.progress=true")) {
            eventually(
                    "the terminal shows a wait of 1 s",
                    () -> assertThat(terminal.written()).contains("\rcalling s/wait ... 1 s"));
            terminal.interrupt();
            assertThat(terminal.finish()).isEqualTo(130);
            assertThat(terminal.written()).contains("^C");
            assertThat(terminal.screen()).isEmpty();
        }
    }

    @Test
    void progress_is_shown_for_suspended_gateway() throws Exception {
        List<String> home = List.of("env", "FUSEBOX_HOME=" + folder.resolve("home"));
        try (RunningGateway gateway = RunningGateway.by(home, folder, "idle")) {
            gateway.signal("STOP");
            try (Terminal terminal = at(List.of("-Dfusebox.progress=true"), "status")) {
                String asking = "querying gateway " + gateway.process().pid() + " ... 1 s";
                eventually(
                        "the terminal shows the question",
                        () -> assertThat(terminal.written()).contains(asking));
                gateway.signal("CONT");
                assertThat(terminal.finish()).as(terminal.written()).isZero();
                assertThat(terminal.screen()).noneMatch(line -> line.contains("asking"));
            }
        }
    }

    @Test
    void no_progress_on_dumb_terminals() throws Exception {
        try (Terminal terminal = calling()) {
            eventually(
                    "the server is called",
                    () -> assertThat(folder.resolve("called")).exists());
            // After a second it would be shown.
            throughout(
                    "nothing is shown",
                    Duration.ofMillis(1500),
                    () -> assertThat(terminal.written()).isEmpty());
            Files.createFile(folder.resolve("go"));
            assertThat(terminal.finish()).isZero();
            assertThat(terminal.written()).isEqualToIgnoringNewLines("done at last");
        }
    }

    @Test
    void watch_exits_with_130_and_restores_terminal() throws Exception {
        Disk.write(folder.resolve("home/config.json"), Files.readString(folder.resolve("config.json")), false);
        List<String> flags = List.of("-Dfusebox.terminal=true", "-Dfusebox.color=true");
        try (Terminal terminal = at(flags, "status", "--watch")) {
            eventually(
                    "the terminal shows 'idle'",
                    () -> assertThat(terminal.written()).contains("idle"));
            terminal.interrupt();
            assertThat(terminal.finish()).isEqualTo(130);
            String written = terminal.written();
            assertThat(written).startsWith("\u001b[H\u001b[J").contains("  s  idle");
            // Neither another screen nor a hidden cursor, and each color ends on its line.
            assertThat(written).doesNotContain("\u001b[?");
            assertThat(written.lines())
                    .allSatisfy(line -> assertThat(count(line, "\u001b[1m")).isEqualTo(count(line, "\u001b[0m")));
        }
    }

    private static long count(String line, String what) {
        return Stream.of(line.split(java.util.regex.Pattern.quote(what), -1)).count();
    }
}
