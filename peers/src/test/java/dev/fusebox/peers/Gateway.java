package dev.fusebox.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The gateway over HTTP, as a process of its own. Whoever opens it closes it. Opening waits until it listens, closing
/// until it and everything that it started are gone.
final class Gateway implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String ADDRESS = "serving on ";

    private final Process process;
    private final Queue<String> words = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<String> url = new CompletableFuture<>();

    private Gateway(Process process) {
        this.process = process;
    }

    /// The command of a gateway over standard input and output, for a client that starts it by itself.
    static List<String> command(Path configuration) {
        return command(configuration, "stdio");
    }

    static Target overStdio(Path configuration) {
        return Target.of(command(configuration), Map.of());
    }

    static Gateway overHttp(Path configuration) {
        var command = new ArrayList<>(command(configuration, "http"));
        command.addAll(List.of("--port", "0"));
        try {
            Gateway gateway = new Gateway(new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
            Thread.ofPlatform().daemon().name("peers-gateway-errors").start(gateway::listen);
            return gateway;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(Path configuration, String transport) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.fusebox.cli.Main",
                "serve",
                "--config",
                configuration.toString(),
                "--transport",
                transport,
                "--expose",
                "proxy",
                "--no-prefix");
    }

    private void listen() {
        try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                words.add(line);
                int address = line.indexOf(ADDRESS);
                if (address >= 0) {
                    url.complete(line.substring(address + ADDRESS.length()).strip());
                }
            }
            url.completeExceptionally(new IOException("the gateway ended and said: " + words));
        } catch (IOException e) {
            url.completeExceptionally(e);
        }
    }

    String url() {
        try {
            return url.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the gateway does not listen; it said: " + words, e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for the gateway", e);
        }
    }

    /// Where it listens, without a path.
    String base() {
        return url().replaceFirst("/mcp$", "");
    }

    Target http() {
        return Target.http(url());
    }

    Target sse() {
        return Target.sse(base() + "/sse");
    }

    /// A gateway that has to be killed, or leaves somebody behind, is a failure of the test that used it.
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
            throw new AssertionError("the gateway was told to end; this is left of it: " + alive(all), e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for the gateway's end", e);
        } finally {
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static List<ProcessHandle> alive(List<ProcessHandle> some) {
        return some.stream().filter(ProcessHandle::isAlive).toList();
    }
}
