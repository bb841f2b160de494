package dev.fusebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// How little of the machine a worker may have, as the kernel sees it.
class ModestyTest {
    @Test
    void workers_are_behind_all_others_and_on_one_processor() throws IOException, InterruptedException {
        assumeTrue(Modesty.words().size() == 6, "this machine has no taskset or no nice");
        try (Bench bench = new Bench()) {
            bench.run("1");
            Path process = Path.of("/proc", Long.toString(bench.process()));
            assertThat(Files.readAllLines(process.resolve("status")))
                    .filteredOn(line -> line.startsWith("Cpus_allowed_list:"))
                    .allMatch(line -> line.matches("Cpus_allowed_list:\\s+\\d+"));
            assertThat(niceness(Files.readString(process.resolve("stat"))))
                    .isGreaterThan(niceness(Files.readString(Path.of("/proc/self/stat"))));
        }
    }

    /// The name of the program, before it, may hold blanks.
    private static int niceness(String stat) {
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
    }
}
