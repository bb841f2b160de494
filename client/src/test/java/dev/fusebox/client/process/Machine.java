package dev.fusebox.client.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Access to processes and resources of the machine that runs the tests.
final class Machine {
    static final Platform PLATFORM = Platform.system();
    static final Duration SOON = Duration.ofSeconds(20);

    private Machine() {}

    static void needsPython() {
        boolean isThere = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> new File(folder, "python3").canExecute());
        assumeTrue(isThere, "skipped: this test's fault children are written for python3, which is not on the PATH");
    }

    static void needsSessions() {
        assumeTrue(
                PLATFORM.processes().keepsSessions(),
                "skipped: this machine shows no sessions and no variables of processes");
    }

    /// A child that runs a shell script.
    static ChildSpec sh(String script) {
        return ChildSpec.of("/bin/sh", "-c", script);
    }

    /// A child that runs a Python script.
    static ChildSpec python(String script) {
        return ChildSpec.of("python3", "-c", script);
    }

    static ChildProcess started(ChildProcesses children, ChildSpec spec, ChildListener listener)
            throws InterruptedException {
        StartResult startResult = children.startResult(spec, listener);
        assertThat(startResult).isInstanceOf(StartResult.Started.class);
        return ((StartResult.Started) startResult).child();
    }

    /// Whether a process lives; a zombie does not.
    static boolean isAlive(long pid) {
        return PLATFORM.processes().list().stream().anyMatch(it -> it.pid() == pid && !it.zombie());
    }

    /// Live processes with this environment variable.
    static List<Long> carrying(String variable, String value) {
        return PLATFORM.processes().list().stream()
                .filter(it -> !it.zombie())
                .filter(it -> value.equals(PLATFORM.processes().variable(it, variable)))
                .map(ProcessEntry::pid)
                .toList();
    }

    static List<ProcessEntry> zombiesOfOurs() {
        long self = ProcessHandle.current().pid();
        return PLATFORM.processes().list().stream()
                .filter(it -> it.parent() == self && it.zombie())
                .toList();
    }

    /// Whether a process is our child, alive or not yet reaped.
    static boolean isOurs(long pid) {
        long self = ProcessHandle.current().pid();
        return PLATFORM.processes().list().stream().anyMatch(it -> it.pid() == pid && it.parent() == self);
    }

    static int descriptors() {
        String[] names = new File("/proc/self/fd").list();
        return names == null ? 0 : names.length;
    }

    static long childThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("fusebox-child-"))
                .count();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// The process ids that scripts wrote into a file, one a line.
    static List<Long> pids(Path file) {
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream().map(Long::valueOf).toList()
                    : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
