package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A program at a real pseudo-terminal, whose keys can be pressed and whose screen can be read. Thread-safe; every wait
/// is bounded. Closing it ends the program.
final class Terminal implements AutoCloseable {
    private static final Path SCRIPT = Path.of("/usr/bin/script");
    private static final char CTRL_C = 3;

    private final Process process;
    private final Thread reader;
    private final StringBuilder written = new StringBuilder();

    private Terminal(Process process) {
        this.process = process;
        this.reader = Thread.ofVirtual().start(this::read);
    }

    /// @param environment all of it, but for what every program needs
    static Terminal run(Map<String, String> environment, List<String> command) throws IOException {
        assumeTrue(Files.isExecutable(SCRIPT), "skipped: this machine has no script to make a terminal with");
        String line = command.stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" ", "exec ", ""));
        ProcessBuilder builder =
                new ProcessBuilder(SignalMasks.reset(List.of(SCRIPT.toString(), "-qefc", line, "/dev/null")));
        builder.environment().clear();
        builder.environment().put("PATH", System.getenv("PATH"));
        builder.environment().put("TERM", "xterm");
        builder.environment().put("SHELL", "/bin/sh");
        builder.environment().putAll(environment);
        return new Terminal(builder.start());
    }

    private void read() {
        try (InputStream in = process.getInputStream()) {
            byte[] some = new byte[1 << 12];
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                write(new String(some, 0, count, UTF_8));
            }
        } catch (IOException end) {
            write(" (broken off: " + end.getMessage() + ")");
        }
    }

    private synchronized void write(String text) {
        written.append(text);
    }

    /// All that was written to it, as it came.
    synchronized String written() {
        return written.toString();
    }

    void type(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
    }

    void interrupt() throws IOException {
        process.getOutputStream().write(CTRL_C);
        process.getOutputStream().flush();
    }

    /// How the program ended, after all that it wrote was read.
    int finish() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS) || !reader.join(Duration.ofSeconds(30))) {
            throw new AssertionError("still runs, and has written: " + written());
        }
        return process.exitValue();
    }

    /// The lines with something in them that are to be seen at last, if nothing moves the cursor but returns and new
    /// lines.
    List<String> screen() {
        return Stream.of(written().split("\n", -1))
                .map(Terminal::seen)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static String seen(String line) {
        StringBuilder seen = new StringBuilder();
        for (String part : line.split("\r", -1)) {
            seen.replace(0, Math.min(part.length(), seen.length()), part);
        }
        return seen.toString().stripTrailing();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
