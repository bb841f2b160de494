package dev.fusebox.gateway.doctor;

import dev.fusebox.world.ProcessEntry;
import dev.fusebox.world.ProcessesUnseen;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// How much memory processes take, and how much there is, as Linux tells it. Thread-safe; takes milliseconds.
final class Memory {
    private static final long PAGE_BYTES = 4096;
    private static final List<Path> LIMITS =
            List.of(Path.of("/sys/fs/cgroup/memory.max"), Path.of("/sys/fs/cgroup/memory/memory.limit_in_bytes"));

    /// Version 1 of control groups says so for "no limit".
    private static final long ENDLESS = 1L << 60;

    private Memory() {}

    /// Bytes that the processes of one session hold; 0 if nobody tells.
    static long ofSession(World world, long leader) {
        try {
            return world.processes().list().stream()
                    .filter(entry -> entry.session() == leader)
                    .mapToLong(Memory::resident)
                    .sum();
        } catch (ProcessesUnseen unseen) {
            return 0;
        }
    }

    private static long resident(ProcessEntry entry) {
        String[] fields = text(Path.of("/proc/" + entry.pid() + "/statm")).split(" ", -1);
        return fields.length < 2 ? 0 : number(fields[1]) * PAGE_BYTES;
    }

    /// Bytes that there are for all; 0 if nobody tells.
    static long limit() {
        long group = LIMITS.stream()
                .map(Memory::text)
                .mapToLong(Memory::number)
                .filter(bytes -> bytes > 0 && bytes < ENDLESS)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        long machine = machine();
        return machine == 0 ? (group == Long.MAX_VALUE ? 0 : group) : Math.min(group, machine);
    }

    private static long machine() {
        Stream<String> lines = text(Path.of("/proc/meminfo")).lines();
        return lines.filter(line -> line.startsWith("MemTotal:"))
                .map(line -> line.replaceAll("\\D", ""))
                .mapToLong(Memory::number)
                .map(kibibytes -> kibibytes * 1024)
                .findFirst()
                .orElse(0);
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
