package dev.fusebox.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A child process that reports its readiness on lines with known prefixes. The opener closes it. Queries block
/// until it is ready, closing until it and its descendants have ended. Thread-safe.
final class Program implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final String name;
    private final Process process;
    private final Queue<String> words = new ConcurrentLinkedQueue<>();
    private final List<String> signs;
    private final List<CompletableFuture<String>> said;

    private Program(String name, Process process, List<String> signs) {
        this.name = name;
        this.process = process;
        this.signs = signs;
        this.said = IntStream.range(0, signs.size())
                .mapToObj(sign -> new CompletableFuture<String>())
                .toList();
    }

    /// Starts it.
    ///
    /// @param signs of readiness, each on a line of its own, in standard output or standard error
    static Program start(String name, ProcessBuilder command, String... signs) {
        try {
            Program program =
                    new Program(name, command.redirectErrorStream(true).start(), List.of(signs));
            Thread.ofPlatform().daemon().name("peers-listens-to-" + name).start(program::listen);
            return program;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                words.add(line);
                look(line);
            }
            said.forEach(
                    one -> one.completeExceptionally(new IOException("the " + name + " ended and said: " + words)));
        } catch (IOException e) {
            said.forEach(one -> one.completeExceptionally(e));
        }
    }

    private void look(String line) {
        for (int sign = 0; sign < signs.size(); sign++) {
            int at = line.indexOf(signs.get(sign));
            if (at >= 0) {
                said.get(sign)
                        .complete(line.substring(at + signs.get(sign).length()).strip());
            }
        }
    }

    /// What stood behind the first sign.
    String said() {
        return said(0);
    }

    /// What stood behind a sign.
    String said(int sign) {
        return said(sign, LIMIT);
    }

    /// The same for a program that takes longer to start.
    String said(int sign, Duration limit) {
        try {
            return said.get(sign).get(limit.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the " + name + " is not ready; it said: " + words, e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for the " + name, e);
        }
    }

    /// Everything that it has started and that is still there.
    Stream<ProcessHandle> descendants() {
        return process.descendants();
    }

    /// All lines that it has written so far.
    List<String> words() {
        return List.copyOf(words);
    }

    /// A program that must be killed or leaves processes behind fails its test.
    @Override
    public void close() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        process.destroy();
        try {
            for (ProcessHandle one : all) {
                one.onExit().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the " + name + " was told to end; this is left of it: " + alive(all), e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for the end of the " + name, e);
        } finally {
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static List<ProcessHandle> alive(List<ProcessHandle> some) {
        return some.stream().filter(ProcessHandle::isAlive).toList();
    }
}
