package dev.fusebox.client.process;

import static dev.fusebox.client.process.Machine.PLATFORM;
import static dev.fusebox.client.process.Machine.SOON;
import static dev.fusebox.client.process.Machine.sh;
import static dev.fusebox.client.process.Machine.started;
import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.StartResult.Kind;
import dev.fusebox.client.process.StartResult.NotStarted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Environment of a started child, and causes of a failed start.
@Tag("process")
class StartResultTest {
    private static final long MILLISECOND = 1_000_000;

    private final ChildProcesses children = ChildProcesses.open(PLATFORM);
    private final Recorder received = new Recorder();

    @TempDir
    private Path directory;

    @AfterEach
    void closeChildren() {
        children.close();
    }

    @Test
    void missing_command_is_reported_within_100_ms() throws InterruptedException {
        long quickest = Long.MAX_VALUE;
        // The first one also starts the reaper, and a busy machine adds delays now and then.
        for (int i = 0; i < 10; i++) {
            long start = PLATFORM.ticker().nanos();
            StartResult answer = children.startResult(ChildSpec.of("no-such-command", "--token", "s3cret"), received);
            quickest = Math.min(quickest, PLATFORM.ticker().nanos() - start);
            assertThat(answer).isEqualTo(new NotStarted(Kind.COMMAND_NOT_FOUND, "command not found: no-such-command"));
        }

        assertThat(quickest).isLessThan(100 * MILLISECOND);
        assertThat(received.exits).isEmpty();
        assertThat(children.live()).isEmpty();
    }

    @Test
    void non_executable_file_is_reported_as_such() throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("server"), "#!/bin/sh\n");
        assertThat(kind(file.toString())).isEqualTo(Kind.NOT_EXECUTABLE);
        assertThat(kind(directory.toString())).isEqualTo(Kind.NOT_EXECUTABLE);
        assertThat(kind("")).isEqualTo(Kind.COMMAND_NOT_FOUND);
    }

    @Test
    void missing_interpreter_is_reported_as_such() throws IOException, InterruptedException {
        assertThat(kind(executable("#!/no/such/interpreter\n"))).isEqualTo(Kind.BAD_INTERPRETER);
        assertThat(kind(executable("\u007fELF\u0000broken"))).isEqualTo(Kind.BAD_INTERPRETER);
    }

    @Test
    void script_without_a_shebang_is_run_by_the_shell() throws IOException, InterruptedException {
        started(children, ChildSpec.of(executable("echo \"$1\"\n"), "hello"), received);
        eventually("the line 'hello' is read", () -> assertThat(received.lines).isEqualTo(List.of("hello")));
    }

    @Test
    void missing_working_directory_is_named() throws InterruptedException {
        StartResult answer = children.startResult(sh("true").withCwd("/no/such/directory"), received);
        assertThat(answer)
                .isEqualTo(new NotStarted(Kind.BAD_DIRECTORY, "no such working directory: /no/such/directory"));
    }

    @Test
    void relative_command_is_resolved_in_the_working_directory() throws IOException, InterruptedException {
        executable("#!/bin/sh\npwd\n");
        started(children, ChildSpec.of("./server").withCwd(directory.toString()), received);
        List<String> place = List.of(directory.toRealPath().toString());
        eventually(
                "the working directory is read",
                () -> assertThat(received.lines).isEqualTo(place));
    }

    @Test
    void command_is_looked_up_in_the_path_of_the_child() throws IOException, InterruptedException {
        executable("#!/bin/sh\necho found\n");
        started(children, ChildSpec.of("server").withEnv(Map.of("PATH", directory.toString())), received);
        eventually("the line 'found' is read", () -> assertThat(received.lines).isEqualTo(List.of("found")));
    }

    @Test
    void nul_character_is_rejected_and_does_not_truncate() throws InterruptedException {
        assertThat(children.startResult(ChildSpec.of("/bin/echo", "a\0b"), received))
                .isInstanceOf(NotStarted.class);
    }

    @Test
    void child_gets_the_base_environment_and_the_configured_variables() throws InterruptedException {
        var platform = PLATFORM.withEnvironment(Map.of(
                "PATH", "/usr/bin:/bin", "HOME", "/home/x", "LC_ALL", "C", "AWS_SECRET", "a", "HTTPS_PROXY", "b"));
        try (var others = ChildProcesses.open(platform)) {
            var spec =
                    ChildSpec.of("env").withEnv(Map.of("A", "1", "HOME", "/y")).withInheritEnv(List.of("HTTPS_PROXY"));
            ChildProcess child = started(others, spec, received);
            assertThat(child.exit(SOON)).isPresent();
        }
        assertThat(received.lines.stream().map(line -> line.replaceFirst("^(FUSEBOX_TREE)=.*", "$1=tag")))
                .containsExactlyInAnyOrder(
                        "PATH=/usr/bin:/bin", "HOME=/y", "LC_ALL=C", "HTTPS_PROXY=b", "A=1", "FUSEBOX_TREE=tag");
    }

    @Test
    void child_has_three_descriptors_and_its_own_session() throws IOException, InterruptedException {
        Machine.needsSessions();
        Files.createFile(directory.resolve("open"));
        try (var _ = Files.newInputStream(directory.resolve("open"))) {
            ChildProcess child = started(children, sh("ls /proc/$$/fd; cut -d' ' -f5,6 /proc/$$/stat; cat"), received);
            eventually("four lines are read", () -> assertThat(received.lines).hasSize(4));
            assertThat(received.lines).containsExactly("0", "1", "2", child.pid() + " " + child.pid());
        }
    }

    @Test
    void child_ignores_and_blocks_no_signal() throws InterruptedException {
        Machine.needsSessions();
        started(children, ChildSpec.of("grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"), received);
        eventually("two lines are read", () -> assertThat(received.lines).hasSize(2));
        assertThat(received.lines).containsExactly("SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000");
    }

    @Test
    void immediate_exit_has_its_code_and_its_stderr_tail() throws InterruptedException {
        var script = "i=0; while [ $i -lt 40 ]; do i=$((i+1)); echo \"line $i\" >&2; done; exit 3";
        ChildProcess child = started(children, sh(script), received);
        ChildExit exit = child.exit(SOON).orElseThrow();
        assertThat(exit.code()).isEqualTo(3);
        assertThat(exit.signal()).isNull();
        assertThat(exit.stopped()).isFalse();
        assertThat(exit.stderrTail()).hasSize(10).startsWith("line 31").endsWith("line 40");
        assertThat(child.stderrTail(100, 8192)).hasSize(40);
    }

    @Test
    void child_without_stderr_has_an_empty_tail() throws InterruptedException {
        ChildProcess child = started(children, sh("kill -9 $$"), received);
        ChildExit exit = child.exit(SOON).orElseThrow();
        assertThat(exit.stderrTail()).isEmpty();
        assertThat(exit.signal()).isEqualTo("SIGKILL");
        assertThat(exit.code()).isEqualTo(137);
    }

    @Test
    void starts_are_rejected_after_close() throws InterruptedException {
        children.close();
        StartResult answer = children.startResult(sh("sleep 60"), received);
        assertThat(answer)
                .isInstanceOfSatisfying(
                        NotStarted.class, it -> assertThat(it.kind()).isEqualTo(Kind.CLOSING));
    }

    private Kind kind(String command) throws InterruptedException {
        StartResult answer = children.startResult(ChildSpec.of(command), received);
        assertThat(answer).isInstanceOf(NotStarted.class);
        return ((NotStarted) answer).kind();
    }

    private String executable(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("server"), text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file.toString();
    }
}
