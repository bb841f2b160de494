package dev.fusebox.cli;

import dev.fusebox.client.Promise;
import dev.fusebox.gateway.share.ShareAddress;
import dev.fusebox.gateway.share.TrainingGateway;
import dev.fusebox.platform.Platform;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A complete `serve` in a temporary home, for the launcher's training run: the AOT cache then contains the
/// classes of a start and of the first seconds after it. It runs on a thread of its own beside the rest of the
/// training. For the training process only, because signal handlers and the log stay as `serve` leaves them. Not
/// thread-safe; closing blocks for a few seconds.
final class ServeTrainingRun implements AutoCloseable {
    /// The search for orphaned processes runs 2 s after the start, and the configuration is read again after 2.5
    /// s.
    private static final Duration FIRST_SECONDS = Duration.ofMillis(3_300);

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final String BEGINNING = """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
            "clientInfo":{"name":"training","version":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}
            """;

    private static final String CALL = """
            {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello"}}}
            """;

    private static final String SEARCH = """
            {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"mcp_discover",\
            "arguments":{"query":"look into the files of a project"}}}
            """;

    /// The messages of a client whose gateway passes one server through.
    private static final String CALLS = BEGINNING
            + IntStream.range(2, 2 + TrainingRun.CALLS)
                    .mapToObj(CALL::formatted)
                    .collect(Collectors.joining());

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);
    private static final int TRIES = 200;

    private final Platform platform;
    private final Path home;
    private final PipedOutputStream client = new PipedOutputStream();
    private final Promise<Boolean> ended = new Promise<>();
    private volatile @Nullable Shutdown shutdown;

    private ServeTrainingRun(Platform platform, Path home) {
        Map<String, String> environment = new HashMap<>(platform.environment());
        environment.put("FUSEBOX_HOME", home.toString());
        this.platform = platform.withEnvironment(environment);
        this.home = home;
    }

    /// Trains one serve mode: `single` for a gateway that passes one server through over stdio, `http` for one
    /// over HTTP, `connector` for a connector.
    static ExitStatus run(Platform platform, String way) {
        switch (way) {
            case "single" ->
                begin(platform, CALLS, "--expose", "proxy", "--no-prefix").close();
            case "http" -> overHttp(platform);
            case "connector" -> overConnector(platform);
            default -> {
                return ExitStatus.USAGE;
            }
        }
        return ExitStatus.DONE;
    }

    /// A gateway with its own tools, which find and call the servers' tools.
    static ServeTrainingRun ofOwnTools(Platform platform) {
        return begin(platform, BEGINNING + SEARCH);
    }

    /// A gateway that clients share, and a client that finds and calls tools.
    static ServeTrainingRun ofSharedGateway(Platform platform) {
        ServeTrainingRun training = begin(platform, "", "--transport", "shared");
        try {
            training.connect();
        } catch (IOException unserved) {
            System.err.println("training run: no shared gateway: " + unserved);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return training;
    }

    private void connect() throws IOException, InterruptedException {
        ShareAddress address = ShareAddress.of(platform, config(), false);
        for (int tries = 1; !Files.exists(address.socket()); tries++) {
            if (tries == TRIES) {
                throw new ConnectException("nothing at " + address.socket());
            }
            platform.pause(BETWEEN_TRIES);
        }
        InputStream asked = new ByteArrayInputStream((BEGINNING + SEARCH).getBytes(StandardCharsets.UTF_8));
        new ServeCommand(platform, new ServeCommand.Stdio(asked, OutputStream.nullOutputStream()), begun -> {})
                .run(List.of("--config", config().toString(), "--share", "auto"), CommandOutput.ofProcess());
    }

    private static void overHttp(Platform platform) {
        try {
            String port = Integer.toString(freePort());
            String[] way = {"--expose", "proxy", "--no-prefix", "--port", port, "--transport", "http"};
            try (ServeTrainingRun training = begin(platform, "", way)) {
                training.converse(Integer.parseInt(port));
            }
        } catch (IOException unheard) {
            System.err.println("training run: no response over HTTP: " + unheard);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// The gateway of the connector is a script, whose classes are few.
    private static void overConnector(Platform platform) {
        try {
            ServeTrainingRun training = new ServeTrainingRun(platform, Files.createTempDirectory("fusebox-training"));
            Path config = training.writeConfig();
            ShareAddress address = ShareAddress.of(training.platform, config, false);
            try (TrainingGateway gateway = TrainingGateway.open(address)) {
                Thread.ofPlatform().daemon().name("fusebox-training-gateway").start(() -> serve(gateway));
                training.start(CALLS, "--share", "auto");
                training.close();
            }
        } catch (IOException unserved) {
            System.err.println("training run: no connector: " + unserved);
        }
    }

    private static void serve(TrainingGateway gateway) {
        try {
            gateway.serve(VersionCommand.ofFusebox());
        } catch (IOException left) {
            System.err.println("training run: the connector left: " + left);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// Waits until it listens, and calls it as an HTTP client.
    private void converse(int port) throws IOException, InterruptedException {
        for (int tries = 1; ; tries++) {
            try (LocalClient client = new LocalClient(platform, port)) {
                TrainingRun.converse(client);
                return;
            } catch (ConnectException notYet) {
                if (tries == TRIES) {
                    throw notYet;
                }
                platform.pause(BETWEEN_TRIES);
            }
        }
    }

    private static ServeTrainingRun begin(Platform platform, String lines, String... more) {
        try {
            ServeTrainingRun training = new ServeTrainingRun(platform, Files.createTempDirectory("fusebox-training"));
            training.start(lines, more);
            return training;
        } catch (IOException noFolder) {
            throw new UncheckedIOException(noFolder);
        }
    }

    private Path config() {
        return home.resolve("config.json");
    }

    private Path writeConfig() throws IOException {
        String servers = "{\"mcpServers\":{\"training\":" + TrainingServer.ENTRY + "}";
        return Files.writeString(config(), servers + ",\"discovery\":{\"semantic\":\"off\"}}");
    }

    private void start(String lines, String... more) throws IOException {
        Path config = writeConfig();
        InputStream asked = new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8));
        InputStream in = new SequenceInputStream(asked, new PipedInputStream(client));
        var stdio = new ServeCommand.Stdio(in, OutputStream.nullOutputStream());
        List<String> arguments = Stream.concat(Stream.of("--config", config.toString()), Stream.of(more))
                .toList();
        Thread.ofPlatform().daemon().name("fusebox-training").start(() -> {
            try {
                new ServeCommand(platform, stdio, begun -> shutdown = begun).run(arguments, CommandOutput.ofProcess());
            } finally {
                ended.complete(true);
            }
        });
    }

    @Override
    public void close() {
        try {
            platform.pause(FIRST_SECONDS);
            client.close();
            endService();
            ended.await(platform, LIMIT);
            deleteHome();
        } catch (IOException left) {
            System.err.println("training run: cannot delete the temporary folder: " + left);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Over HTTP no client disconnect ends it.
    private void endService() {
        Shutdown running = shutdown;
        if (running != null) {
            running.begin(ExitStatus.DONE);
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
