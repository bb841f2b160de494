package dev.fusebox.cli;

import dev.fusebox.client.Arrival;
import dev.fusebox.world.World;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A whole `serve` over stdio in a home of its own, for the launcher's training run: the AOT cache then contains the
/// classes of a start and of the first seconds after it. Runs on a thread of its own beside the rest of the training.
/// For the training process only: signal handlers and the log stay as `serve` leaves them. Not thread-safe;
/// closing blocks for a few seconds.
final class ServeRehearsal implements AutoCloseable {
    /// Castaways are looked for 2 s after the start, and the configuration is read once more after 2.5 s.
    private static final Duration FIRST_SECONDS = Duration.ofMillis(3_300);

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final String LINES = """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
            "clientInfo":{"name":"rehearsal","version":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}
            {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello"}}}
            """;

    private final World world;
    private final Path home;
    private final PipedOutputStream client = new PipedOutputStream();
    private final Arrival<Boolean> ended = new Arrival<>();

    private ServeRehearsal(World world, Path home) {
        Map<String, String> environment = new HashMap<>(world.environment());
        environment.put("FUSEBOX_HOME", home.toString());
        this.world = world.withEnvironment(environment);
        this.home = home;
    }

    static ServeRehearsal begin(World world) {
        try {
            ServeRehearsal rehearsal = new ServeRehearsal(world, Files.createTempDirectory("fusebox-rehearsal"));
            rehearsal.start();
            return rehearsal;
        } catch (IOException noFolder) {
            throw new UncheckedIOException(noFolder);
        }
    }

    private void start() throws IOException {
        Path config = home.resolve("config.json");
        Files.writeString(config, "{\"mcpServers\":{\"rehearsal\":" + RehearsalServer.ENTRY + "}}");
        var stdio = new Serve.Stdio(new PipedInputStream(client), OutputStream.nullOutputStream());
        List<String> arguments =
                List.of("--config", config.toString(), "--transport", "stdio", "--expose", "proxy", "--no-prefix");
        Thread.ofPlatform().daemon().name("fusebox-rehearsal").start(() -> {
            try {
                new Serve(world, stdio).run(arguments, Screen.ofProcess());
            } finally {
                ended.bring(true);
            }
        });
        client.write(LINES.getBytes(StandardCharsets.UTF_8));
        client.flush();
    }

    @Override
    public void close() {
        try {
            world.pause(FIRST_SECONDS);
            client.close();
            ended.await(world, LIMIT);
            deleteHome();
        } catch (IOException left) {
            System.err.println("a folder of the training run is left over: " + left);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void deleteHome() throws IOException {
        Files.walkFileTree(home, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
