package dev.fusebox.cli;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// The age of this process, including its launcher. Thread-safe; reads two short files.
final class ProcessAge {
    /// Both files count in hundredths of a second.
    private static final long MILLIS_A_TICK = 10;

    /// The index of the start time in `/proc/self/stat`, after the process name (proc(5), field 22).
    private static final int START = 19;

    private static final int MAX_BYTES = 2_048;

    private ProcessAge() {}

    /// The age in milliseconds, to within ten; negative where it is unknown.
    static long millis() {
        try {
            String stat = text("/proc/self/stat");
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", START + 2);
            String uptime = text("/proc/uptime");
            String ticks = uptime.substring(0, uptime.indexOf(' ')).replace(".", "");
            return (Long.parseLong(ticks) - Long.parseLong(fields[START])) * MILLIS_A_TICK;
        } catch (IOException | RuntimeException elsewhere) {
            return -1;
        }
    }

    private static String text(String file) throws IOException {
        try (FileInputStream in = new FileInputStream(file)) {
            return new String(in.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1);
        }
    }
}
