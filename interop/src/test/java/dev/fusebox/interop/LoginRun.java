package dev.fusebox.interop;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// A run of a login command that prints the authorization URL on a line of its own and reads the callback URL, as
/// `./fusebox login NAME --no-browser` does. Thread-safe; a run blocks until the command ends.
final class LoginRun {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private LoginRun() {}

    /// Runs the command. What it printed is in the result, so a test may look for secrets in it.
    ///
    /// @param person gets the authorization URL and returns the line for standard input
    static Run of(ProcessBuilder command, UnaryOperator<String> person) {
        return of(command, person, line -> {});
    }

    /// The same with a look at every line that is no URL.
    static Run of(ProcessBuilder command, UnaryOperator<String> person, Consumer<String> reader) {
        String name = String.join(" ", command.command());
        try {
            Path errors = Files.createTempFile("login-", ".err");
            try {
                Process process = command.redirectError(errors.toFile()).start();
                CompletableFuture.delayedExecutor(LIMIT.toSeconds(), TimeUnit.SECONDS)
                        .execute(() -> end(process));
                String out = converse(process, person, reader);
                return new Run(name, process.waitFor(), out, Files.readString(errors));
            } finally {
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for " + name, e);
        }
    }

    /// Ended after its time, the command has the exit code of a killed process.
    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static String converse(Process process, UnaryOperator<String> person, Consumer<String> reader)
            throws IOException {
        StringBuilder out = new StringBuilder();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                BufferedWriter input = process.outputWriter(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                out.append(line).append('\n');
                if (line.startsWith("http")) {
                    input.write(person.apply(line) + "\n");
                    input.flush();
                } else {
                    reader.accept(line);
                }
            }
        } catch (IOException | AssertionError e) {
            end(process);
            throw e;
        }
        return out.toString();
    }
}
