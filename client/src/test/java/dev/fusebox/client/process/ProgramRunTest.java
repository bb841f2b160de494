package dev.fusebox.client.process;

import static dev.fusebox.client.process.Machine.PLATFORM;
import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.platform.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs that run to their end, or to the end of what they are allowed.
@Tag("process")
class ProgramRunTest {
    private static final ProgramRun.Limits LIMITS = new ProgramRun.Limits(Duration.ofSeconds(30), 1 << 20);

    @TempDir
    private Path folder;

    private static ProgramResult run(String script, String input, ProgramRun.Limits limits)
            throws InterruptedException {
        Map<String, String> environment = Map.of("PATH", "/usr/local/bin:/usr/bin:/bin", "OWN", "x");
        Program program = new Program("sh", List.of("-c", script), environment, null);
        return ProgramRun.run(PLATFORM, program, input.getBytes(UTF_8), limits);
    }

    private static ProgramResult run(String script, String input) throws InterruptedException {
        return run(script, input, LIMITS);
    }

    @Test
    void program_gets_its_input_and_its_output_is_read() throws InterruptedException {
        assertThat(run("read line; echo \"got $line\"; cat; echo first >&2; echo last >&2; exit 3", "a\nb\n"))
                .isEqualTo(new ProgramResult.Exited(3, "got a\nb\n", "last"));
    }

    @Test
    void large_input_and_output_pass() throws InterruptedException {
        String large = "0123456789\n".repeat(60_000);

        assertThat(run("cat", large)).isEqualTo(new ProgramResult.Exited(0, large, ""));
    }

    @Test
    void program_that_reads_nothing_is_no_failure() throws InterruptedException {
        assertThat(run("exec 0<&-; echo done", "0123456789\n".repeat(60_000)))
                .isEqualTo(new ProgramResult.Exited(0, "done\n", ""));
    }

    @Test
    void program_has_no_other_variables() throws InterruptedException {
        assertThat(run("env", ""))
                .isInstanceOfSatisfying(
                        ProgramResult.Exited.class,
                        exited -> assertThat(exited.output().lines().map(line -> line.replaceFirst("=.*", "")))
                                .contains("OWN", "PATH", OwnerTag.VARIABLE)
                                .doesNotContain("HOME", "JAVA_HOME"));
    }

    @Test
    void missing_program_is_told_apart() throws InterruptedException {
        Program program = new Program("no-such-program", List.of(), Map.of("PATH", "/usr/bin"), null);

        assertThat(ProgramRun.run(PLATFORM, program, new byte[0], LIMITS))
                .isInstanceOfSatisfying(
                        ProgramResult.Failed.class,
                        failed -> assertThat(failed.isMissing()).isTrue());
    }

    @Test
    void program_that_hangs_is_killed_with_its_tree() throws InterruptedException {
        Path pids = folder.resolve("pids");
        String script =
                "trap '' TERM; echo $$ >> FILE; (trap '' TERM; echo $(exec sh -c 'echo $PPID') >> FILE; sleep 1000);"
                                .replace("FILE", pids.toString())
                        + " sleep 1000";

        assertThat(run(script, "", new ProgramRun.Limits(Duration.ofSeconds(3), 100)))
                .isEqualTo(new ProgramResult.Failed(false, "timed out after 3000 ms"));
        eventually("no process is left", () -> assertThat(alive(pids)).isEmpty());
    }

    private static List<Long> alive(Path pids) {
        try {
            return Files.readAllLines(pids).stream()
                    .map(Long::valueOf)
                    .filter(pid -> PLATFORM.processes().list().stream()
                            .anyMatch(entry -> entry.pid() == pid && !entry.zombie()))
                    .toList();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    @Test
    void process_left_in_the_background_neither_delays_the_result_nor_survives() throws InterruptedException {
        Path pids = folder.resolve("pids");

        assertThat(run("sleep 1000 & echo $! > " + pids + "; echo done", ""))
                .isEqualTo(new ProgramResult.Exited(0, "done\n", ""));
        eventually("no process is left", () -> assertThat(alive(pids)).isEmpty());
    }

    @Test
    void endless_output_ends_the_program() throws InterruptedException {
        assertThat(run("exec yes", "", new ProgramRun.Limits(Duration.ofSeconds(30), 100_000)))
                .isEqualTo(new ProgramResult.Failed(false, "printed more than 100000 bytes"));
    }

    @Test
    void endless_errors_are_no_failure_while_the_program_runs() throws InterruptedException {
        assertThat(run("yes | head -c 3000000 >&2; echo; echo end >&2", ""))
                .isEqualTo(new ProgramResult.Exited(0, "\n", "end"));
    }

    @Test
    void control_characters_of_errors_are_shown_as_text() throws InterruptedException {
        assertThat(run("printf 'a\\033[2Jb\\n' >&2", ""))
                .isEqualTo(new ProgramResult.Exited(0, "", "a\\x1B[2Jb".replace("1B", "1b")));
    }

    @Test
    void interrupted_caller_ends_the_program() throws InterruptedException {
        Path pids = folder.resolve("pids");
        Thread caller = Thread.ofVirtual()
                .start(() -> assertThatThrownBy(() -> run("echo $$ > " + pids + "; exec sleep 1000", ""))
                        .isInstanceOf(InterruptedException.class));
        eventually("it runs", () -> assertThat(pids).isNotEmptyFile());

        caller.interrupt();

        caller.join();
        eventually("no process is left", () -> assertThat(alive(pids)).isEmpty());
    }

    @Test
    void text_form_has_no_output() throws InterruptedException {
        assertThat(run("echo secret", "")).hasToString("Exited[status=0]");
    }
}
