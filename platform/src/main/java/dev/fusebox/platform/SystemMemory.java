package dev.fusebox.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// How much memory there is, as Linux tells it. Thread-safe, having no state; takes less than a millisecond.
final class SystemMemory {
    private static final List<Path> LIMITS =
            List.of(Path.of("/sys/fs/cgroup/memory.max"), Path.of("/sys/fs/cgroup/memory/memory.limit_in_bytes"));

    /// Version 1 of control groups says so for "no limit".
    private static final long ENDLESS = 1L << 60;

    private static final long PAGE_BYTES = 4096;

    private SystemMemory() {}

    /// Bytes that there are for all processes of this machine, or of this container if that is less; 0 if unknown.
    static long limit() {
        return limit(LIMITS.stream().map(SystemMemory::text).toList(), text(Path.of("/proc/meminfo")));
    }

    /// The same for what these files say.
    ///
    /// @param groups limits of control groups, the newer version first
    static long limit(List<String> groups, String meminfo) {
        long group = groups.stream()
                .mapToLong(SystemMemory::number)
                .filter(bytes -> bytes > 0 && bytes < ENDLESS)
                .findFirst()
                .orElse(0);
        long machine = meminfo.lines()
                .filter(line -> line.startsWith("MemTotal:"))
                .mapToLong(line -> number(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElse(0);
        return group == 0 || machine == 0 ? Math.max(group, machine) : Math.min(group, machine);
    }

    /// Bytes that one process takes: its proportional share, or what is its own where the kernel does not
    /// tell the share; 0 if it is gone.
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

    /// @param statm in pages: all, in memory, and of these shared ones
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
