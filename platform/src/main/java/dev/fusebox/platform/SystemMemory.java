package dev.fusebox.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Memory figures of Linux: the limit of the machine or container, and the use of one process. Thread-safe,
/// stateless; takes less than a millisecond.
final class SystemMemory {
    private static final List<Path> LIMITS =
            List.of(Path.of("/sys/fs/cgroup/memory.max"), Path.of("/sys/fs/cgroup/memory/memory.limit_in_bytes"));

    /// Control groups of version 1 report a value of about this size for "no limit".
    private static final long NO_LIMIT = 1L << 60;

    private static final long PAGE_BYTES = 4096;

    private SystemMemory() {}

    /// The memory of this machine in bytes, or of this container if that is less; 0 if unknown.
    static long limit() {
        return limit(LIMITS.stream().map(SystemMemory::text).toList(), text(Path.of("/proc/meminfo")));
    }

    /// The limit according to the contents of these files.
    ///
    /// @param groups limits of control groups, the newer version first
    static long limit(List<String> groups, String meminfo) {
        long group = groups.stream()
                .mapToLong(SystemMemory::number)
                .filter(bytes -> bytes > 0 && bytes < NO_LIMIT)
                .findFirst()
                .orElse(0);
        long machine = meminfo.lines()
                .filter(line -> line.startsWith("MemTotal:"))
                .mapToLong(line -> number(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElse(0);
        return group == 0 || machine == 0 ? Math.max(group, machine) : Math.min(group, machine);
    }

    /// The memory use of a process in bytes: its proportional share, or its unshared memory where the kernel does
    /// not report the share; 0 if it is gone.
    static long ofProcess(long pid) {
        String rollup = text(Path.of("/proc/" + pid + "/smaps_rollup"));
        long share = share(rollup);
        return share > 0 ? share : unshared(text(Path.of("/proc/" + pid + "/statm")));
    }

    static long share(String rollup) {
        return rollup.lines()
                .filter(line -> line.startsWith("Pss:"))
                .mapToLong(line -> number(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElse(0);
    }

    /// @param statm in pages: total, resident, shared
    static long unshared(String statm) {
        String[] fields = statm.split(" ", -1);
        return fields.length < 3 ? 0 : Math.max(0, number(fields[1]) - number(fields[2])) * PAGE_BYTES;
    }

    private static long number(String text) {
        String digits = text.strip();
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : 0;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            return "";
        }
    }
}
