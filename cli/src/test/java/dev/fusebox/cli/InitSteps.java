package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Shared steps of `InitCommandTest` and `InitUndoTest`. For one thread.
abstract class InitSteps {
    static final String LAUNCHER = "/opt/fusebox/fusebox";

    @TempDir
    Path folder;

    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();
    final CommandOutput output =
            new CommandOutput(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
    /// Servers that were to list their tools.
    final List<String> listed = new ArrayList<>();

    ClientHome home;
    Platform platform;
    Path config;

    @BeforeEach
    void open() throws IOException {
        home = new ClientHome(Files.createDirectory(folder.resolve("home")));
        platform = Platform.system().withEnvironment(Map.of("HOME", home.path().toString()));
        config = home.path().resolve(".fusebox/config.json");
    }

    ExitStatus init(String... words) {
        return new InitCommand(platform, LAUNCHER, (file, servers, shown) -> listed.addAll(servers))
                .run(List.of(words), output);
    }

    String said() {
        String all = out.toString(UTF_8) + err.toString(UTF_8);
        out.reset();
        err.reset();
        return all;
    }

    JsonView servers() {
        return Objects.requireNonNull(JsonView.of(Disk.read(config)).member("mcpServers"));
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        servers().forEachMember((name, server) -> names.add(name));
        return names;
    }

    static String plain(JsonView servers, String name) {
        return String.valueOf(servers.member(name)).replaceAll("\\s", "");
    }

    // ---- All clients

    // ---- Names

    // ---- The report

    // ---- What stays, and what is Fusebox

    // ---- Giving back
}
