package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A runner of the README's commands in a shell, in the root of a built checkout and with an empty home. Each
/// command has an expectation here; one without fails.
final class ReadmeReader implements AutoCloseable {
    /// After SIGINT, as a Ctrl-C sends it.
    private static final int INTERRUPTED = 130;

    private static final int README_PORT = 7332;

    private static final String ADDRESS = "http://127.0.0.1:" + README_PORT + "/mcp";

    /// The client that the reader has: a server of its own, in the hand of a person.
    private static final String CLIENT = ".cursor/mcp.json";

    private static final String CLIENT_TEXT = """
            {
                // Notes of the project.
              "mcpServers": { "memory": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}, },
            }""";

    /// What a command that ends has to print.
    private static final Map<String, List<String>> PRINTS = Map.of(
            "./fusebox doctor", List.of("memory", "healthy"),
            "./fusebox status", List.of("files", "notes"),
            "./fusebox tools \"read a file\"", List.of("files__read_text_file"),
            "./fusebox tools files/list_directory", List.of("path", "string", "call files/list_directory"),
            "./fusebox call files/list_directory path=.", List.of("servers.json"),
            "./fusebox breaker open notes --reason \"new disks\"", List.of("forced-open", "new disks"),
            "./fusebox breaker reset notes", List.of("closed"),
            "./fusebox logs", List.of("notes"),
            "curl -s http://127.0.0.1:7332/metrics", List.of("fusebox_breaker_state"));

    /// What npx runs in it.
    private static final List<String> PACKAGES = List.of("server-memory", "server-filesystem");

    private final RealCheckout checkout;
    private final Path home;
    private @Nullable Launch gateway;

    ReadmeReader(RealCheckout checkout, Path home) {
        this.checkout = checkout;
        this.home = home;
        Disk.write(home.resolve(CLIENT), CLIENT_TEXT, false);
    }

    void follow(ReadmeText readme) {
        PACKAGES.forEach(this::install);
        readme.steps().forEach(step -> {
            switch (step) {
                case ReadmeText.Step.Save save -> Disk.write(checkout.root().resolve(save.file()), save.text(), false);
                case ReadmeText.Step.Type typed -> type(typed.command());
            }
        });
    }

    /// Beforehand, as a registry that is slow is no mistake of the README.
    private void install(String name) {
        run("npm exec --yes --package=@modelcontextprotocol/" + name + " -- true");
    }

    private void type(String command) {
        switch (command) {
            case "./fusebox demo" -> watchDemo(command);
            case "./fusebox init" -> {
                assertThat(run(command)).contains("mcp.json", "memory");
                assertThat(clientFile()).isEqualTo(CLIENT_TEXT);
            }
            case "./fusebox init --yes" -> {
                assertThat(run(command)).contains("Restart these clients");
                assertThat(clientFile()).contains("fusebox").doesNotContain("server-memory");
                assertThat(Disk.read(home.resolve(".fusebox/config.json"))).contains("server-memory");
            }
            case "./fusebox init --undo" -> {
                run(command);
                assertThat(clientFile()).isEqualTo(CLIENT_TEXT);
            }
            case "./fusebox serve --config servers.json --transport http --port 7332" -> serve(command);
            default -> {
                assertThat(PRINTS).as("expectations of the README's commands").containsKey(command);
                assertThat(run(command)).contains(PRINTS.getOrDefault(command, List.of()));
            }
        }
    }

    /// The demo and the README's gateway want the same port. Tests that run beside this one may have it for a
    /// while.
    private static void awaitPort() {
        eventually("port " + README_PORT + " is free", Duration.ofMinutes(2), () -> {
            try (ServerSocket free = new ServerSocket(README_PORT, 1, InetAddress.getLoopbackAddress())) {
                return free.isBound();
            } catch (IOException taken) {
                return false;
            }
        });
    }

    private void watchDemo(String command) {
        awaitPort();
        try (Launch demo = start(command)) {
            demo.awaitOut(ADDRESS);
            demo.interrupt();
            assertThat(demo.finish().code()).isEqualTo(INTERRUPTED);
        }
    }

    private void serve(String command) {
        awaitPort();
        gateway = start(command);
        gateway.awaitErr(ADDRESS);
    }

    private String run(String command) {
        try (Launch launch = start(command)) {
            return String.join("\n", launch.finish().succeeds().out());
        }
    }

    private Launch start(String command) {
        ProcessBuilder builder = checkout.process("", SignalMasks.reset(List.of("bash", "-c", "exec " + command)));
        builder.environment().put("HOME", home.toString());
        return Launch.start(builder, "");
    }

    private String clientFile() {
        return Disk.read(home.resolve(CLIENT));
    }

    @Override
    public void close() {
        if (gateway != null) {
            gateway.terminate();
            assertThat(gateway.finish().code()).isZero();
            gateway.close();
        }
    }
}
