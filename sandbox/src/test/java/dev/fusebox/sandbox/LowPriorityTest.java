package dev.fusebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.sandbox.ScriptReport.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the priority and limits of workers, as the kernel reports them.
///
/// Over five seconds: each worker is a JVM of low priority.
@Tag("process")
class LowPriorityTest {
    private static final List<Path> PROGRAMS = List.of(Path.of("/usr/bin/taskset"), Path.of("/usr/bin/nice"));
    private static final int MAX_NICE = 19;

    @Test
    void workers_have_low_priority_and_share_one_processor() throws IOException, InterruptedException {
        assumeTrue(PROGRAMS.stream().allMatch(Files::isExecutable), "skipped: this machine has no taskset or no nice");
        try (Bench bench = new Bench()) {
            assertThat(bench.run("1").ended()).isInstanceOf(Ended.Finished.class);
            Path process = Path.of("/proc", Long.toString(bench.process()));
            assertThat(Files.readAllLines(process.resolve("status")))
                    .filteredOn(line -> line.startsWith("Cpus_allowed_list:"))
                    .hasSize(1)
                    .allMatch(line -> line.matches("Cpus_allowed_list:\\s+\\d+"));
            int own = niceness(Files.readString(Path.of("/proc/self/stat")));
            assertThat(niceness(Files.readString(process.resolve("stat")))).isEqualTo(Math.min(MAX_NICE, own + 10));
        }
    }

    @Test
    void workers_have_limits_and_cannot_gain_privileges() throws IOException, InterruptedException {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/setpriv")) && Files.exists(Path.of("/proc/self/limits")),
                "skipped: this machine has no setpriv or no /proc");
        try (Bench bench = new Bench()) {
            assertThat(bench.run("1").ended()).isInstanceOf(Ended.Finished.class);
            Path process = Path.of("/proc", Long.toString(bench.process()));
            assertThat(Files.readAllLines(process.resolve("status"))).contains("NoNewPrivs:\t1");
            assertThat(Files.readString(process.resolve("limits")))
                    .containsPattern("Max core file size +0 +0 ")
                    .containsPattern("Max file size +0 +0 ")
                    .containsPattern("Max open files +256 +256 ");
        }
    }

    /// The engine would unpack a library there, but workers may not write files.
    @Test
    void workers_leave_no_files_in_the_users_home(@TempDir Path home) throws InterruptedException {
        WorkerProgram usual = Bench.program();
        WorkerProgram there = new WorkerProgram(usual.java(), usual.classPath(), null, List.of("-Duser.home=" + home));
        try (Bench bench = new Bench(SandboxLimits.defaults(), there)) {
            assertThat(bench.run("1").ended()).isInstanceOf(Ended.Finished.class);
        }
        assertThat(home).isEmptyDirectory();
    }

    /// The name of the program, before it, may contain blanks.
    private static int niceness(String stat) {
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
    }
}
