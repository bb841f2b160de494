package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerState;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.admin.AdminControls;
import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.gateway.reload.ConfigDifference;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Shared steps of `GatewayCommandsTest` and `GatewayCommandsWatchTest`. For one thread.
abstract class GatewayCommandsSteps {
    static final long OTHER = 99_999_999L;
    static final long PID = ProcessHandle.current().pid();
    static final String SERVERS =
            """
            {"mcpServers": {"jira": {"command": "no-such-command-anywhere"},
                            "mail": {"command": "x", "disabled": true},
                            "disk": {"command": "x", "env": {"A": "${NOT_SET_ANYWHERE}"}},
                            "well": {%s, "era": "legacy"}}}
            """.formatted(Configured.process(ServerScript.faultless().withEra(Era.LEGACY)));

    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path home;

    Platform platform;
    GatewayCore gateway;

    @BeforeEach
    void open() throws Exception {
        platform = Platform.system()
                .withEnvironment(Map.of("FUSEBOX_HOME", home.toString(), "PATH", System.getenv("PATH")));
        gateway = GatewayCore.open(platform, read(SERVERS), CoreOptions.of(ServeMode.TO_MANY));
    }

    Configuration read(String text) throws IOException {
        Path file = Files.writeString(home.resolve("config.json"), text);
        if (!(ConfigFile.read(HostEnvironments.of(platform), file, Overrides.NONE.with("--expose", "proxy"))
                instanceof ReadResult.Usable(Configuration read, var warnings))) {
            throw new AssertionError("the configuration is usable");
        }
        return read;
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    /// A second one, as if it were another process.
    HttpServer other() throws IOException {
        Path socket = RunFolder.of(platform).made().socket(OTHER);
        return HttpServer.open(HttpSettings.unix(socket), gateway.adminApi().forOwner(), platform);
    }

    ExitStatus run(String... words) {
        out.reset();
        err.reset();
        CommandOutput output = new CommandOutput(print(out), print(err), false);
        List<String> rest = List.of(words).subList(1, words.length);
        GatewayCommands gatewayCommands = new GatewayCommands(platform);
        return switch (words[0]) {
            case "status" -> gatewayCommands.status(rest, output);
            case "list" -> gatewayCommands.list(rest, output);
            case "tools" -> gatewayCommands.tools(rest, output);
            case "breaker" -> gatewayCommands.breaker(rest, output);
            default -> gatewayCommands.act(words[0], rest, output);
        };
    }

    static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    ExitStatus turn(String command, String server) {
        out.reset();
        List<String> words =
                List.of(server, "--config", home.resolve("config.json").toString());
        return new EditCommands(platform).turn(command, words, new CommandOutput(print(out), print(err), false));
    }

    void reread(String text) throws Exception {
        assertThat(gateway.apply(read(text), ConfigDifference.between(gateway.configuration(), read(text))))
                .isEmpty();
    }

    ServerState state(String server) {
        return gateway.configuration().servers().stream()
                .filter(each -> each.id().equals(server))
                .findFirst()
                .orElseThrow()
                .state();
    }

    AdminControls.Result act(String server, AdminControls.Action action) {
        try {
            return gateway.adminControls().apply(server, action);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /// The children that run.
    static String process() {
        return ProcessHandle.current()
                .descendants()
                .map(ProcessHandle::pid)
                .sorted()
                .toList()
                .toString();
    }
}
