package dev.fusebox.gateway.front;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Facts about the machine that end-to-end tests look at.
final class Machine {
    static final Platform PLATFORM = Platform.system();
    static final Duration SOON = Duration.ofSeconds(30);

    /// The first collection may miss objects that the last tasks still hold.
    private static final int COLLECTIONS = 4;

    private Machine() {}

    static void needsPython() {
        boolean isThere = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> new File(folder, "python3").canExecute());
        assumeTrue(isThere, "skipped: this test's servers are written for python3, which is not on the PATH");
    }

    static void needsLinux() {
        assumeTrue(PLATFORM.processes().keepsSessions(), "skipped: this machine shows no sessions of processes");
    }

    /// Whether a process lives; a zombie does not.
    static boolean isAlive(long pid) {
        return PLATFORM.processes().list().stream().anyMatch(it -> it.pid() == pid && !it.zombie());
    }

    static long zombiesOfOurs() {
        long self = ProcessHandle.current().pid();
        return PLATFORM.processes().list().stream()
                .filter(it -> it.parent() == self && it.zombie())
                .count();
    }

    /// Live processes with this value in a variable of their environment.
    static List<Long> carrying(String variable, String value) {
        return PLATFORM.processes().list().stream()
                .filter(it -> !it.zombie() && value.equals(PLATFORM.processes().variable(it, variable)))
                .map(ProcessEntry::pid)
                .toList();
    }

    static int descriptors() {
        String[] names = new File("/proc/self/fd").list();
        return names == null ? 0 : names.length;
    }

    /// Platform threads only.
    static int threads() {
        return Thread.getAllStackTraces().size();
    }

    /// The journal of a scripted server: `time process id what`, one line each.
    static List<String> journal(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Processes that a scripted server recorded as its children.
    static List<Long> forked(Path journal) {
        return journal(journal).stream()
                .filter(line -> line.contains(" fork"))
                .map(line -> Long.valueOf(line.substring(line.lastIndexOf(':') + 1)))
                .toList();
    }

    static void assertGone(List<Long> pids) {
        eventually("the processes have ended", () -> pids.stream().noneMatch(Machine::isAlive));
    }

    /// Reachable heap, measured after a few collections.
    static long heldBytes() {
        return LongStream.generate(Machine::usedBytes).limit(COLLECTIONS).min().orElseThrow();
    }

    private static long usedBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
