package dev.fusebox.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whether what a test starts can be interrupted.
final class Interrupts {
    private Interrupts() {}

    /// Whether the shell that started all this has switched interrupts off, as it does in the background. Children
    /// inherit that, and no shell among them may undo it.
    static boolean areOff() {
        Path status = Path.of("/proc/self/status");
        try {
            return Files.exists(status)
                    && Files.readAllLines(status).stream()
                            .filter(line -> line.startsWith("SigIgn:"))
                            .anyMatch(line -> (Long.parseUnsignedLong(line.split("\\s+", -1)[1], 16) & 2) != 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
