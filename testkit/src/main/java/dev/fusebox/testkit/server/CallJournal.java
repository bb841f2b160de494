package dev.fusebox.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a server executed, written down before it answers: one line a call, `time process id tool`, with time in
/// milliseconds, and one more with `tool:cancelled` when the call was given up. With a file it survives the
/// process, and processes may share it; without one it lives in memory. Thread-safe.
final class CallJournal {
    private final Optional<Path> file;
    private final InstantSource clock;
    private final List<String> lines = new ArrayList<>();

    CallJournal(Optional<Path> file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    synchronized void add(String id, String what) {
        String line = clock.millis() + " " + ProcessHandle.current().pid() + " " + id + " " + what;
        if (file.isEmpty()) {
            lines.add(line);
            return;
        }
        // A call that is cancelled is interrupted, which would close the file in the middle of the line.
        boolean isInterrupted = Thread.interrupted();
        try {
            // One write at the end of the file: a crash leaves no half line, and two processes do not mix theirs.
            Files.write(
                    file.get(),
                    (line + "\n").getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the journal " + file.get(), e);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// How often a tool was executed.
    synchronized long count(String tool) {
        return lines().stream().filter(line -> line.endsWith(" " + tool)).count();
    }

    private List<String> lines() {
        if (file.isEmpty() || !Files.exists(file.get())) {
            return lines;
        }
        try {
            return Files.readAllLines(file.get());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the journal " + file.get(), e);
        }
    }
}
