package dev.fusebox.doctor;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.ProcessTableUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Resident memory of processes, as reported by Linux. Thread-safe; takes milliseconds.
final class ProcessMemory {
    private static final long PAGE_BYTES = 4096;

    private ProcessMemory() {}

    /// Bytes used by the processes of one session; 0 if unknown.
    static long ofSession(Platform platform, long leader) {
        try {
            return platform.processes().list().stream()
                    .filter(entry -> entry.session() == leader)
                    .mapToLong(ProcessMemory::resident)
                    .sum();
        } catch (ProcessTableUnavailable unseen) {
            return 0;
        }
    }

    private static long resident(ProcessEntry entry) {
        String[] fields = text(Path.of("/proc/" + entry.pid() + "/statm")).split(" ", -1);
        return fields.length < 2 ? 0 : number(fields[1]) * PAGE_BYTES;
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
