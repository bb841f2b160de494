package dev.fusebox.cli;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// How long this process has run, its launcher included. Thread-safe; reads two short files.
final class ProcessAge {
    /// In both files times are counted in hundredths of a second.
    private static final long MILLIS_A_TICK = 10;

    /// Of `/proc/self/stat` behind the name of the process: when it was started, since the machine was.
    private static final int START = 19;

    private static final int MOST_BYTES = 2_048;

    private ProcessAge() {}

    /// Milliseconds to within ten; negative where the system does not tell.
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
            return new String(in.readNBytes(MOST_BYTES), StandardCharsets.ISO_8859_1);
        }
    }
}
