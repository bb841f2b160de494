package dev.fusebox.world;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// How much memory there is, as Linux tells it. Thread-safe, having no state; takes less than a millisecond.
final class Memory {
    private static final List<Path> LIMITS =
            List.of(Path.of("/sys/fs/cgroup/memory.max"), Path.of("/sys/fs/cgroup/memory/memory.limit_in_bytes"));

    /// Version 1 of control groups says so for "no limit".
    private static final long ENDLESS = 1L << 60;

    private Memory() {}

    /// Bytes that there are for all processes of this machine, or of this container if that is less; 0 if nobody tells.
    static long limit() {
        return limit(LIMITS.stream().map(Memory::text).toList(), text(Path.of("/proc/meminfo")));
    }

    /// The same for what these files say.
    ///
    /// @param groups limits of control groups, the newer version first
    static long limit(List<String> groups, String meminfo) {
        long group = groups.stream()
                .mapToLong(Memory::number)
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
