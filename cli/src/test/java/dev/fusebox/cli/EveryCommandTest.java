package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Rules that hold for all commands, with a running gateway.
@Tag("process")
@Timeout(120)
class EveryCommandTest {
    /// Commands whose output is not a report: one speaks the protocol, one plays the demo (`BreakerStoryTest`). Another
    /// needs a server with a URL (`LoginCommandTest`).
    private static final Set<String> NO_REPORTS = Set.of("serve", "demo", "logout");

    private static final String LAUNCHER = "fusebox.launcher";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    /// What is typed, and the members of the answer for programs, as scripts rely on them.
    private final Map<String, Set<String>> reports = new LinkedHashMap<>();

    @TempDir
    private Path home;

    private Platform platform;
    private GatewayCore gateway;
    private AdminSocket adminSocket;

    @BeforeEach
    void open() throws Exception {
        platform = Platform.system()
                .withEnvironment(Map.of(
                        "FUSEBOX_HOME", home.resolve("ours").toString(),
                        "HOME", home.toString(),
                        "PATH", System.getenv("PATH")));
        new BrokenSetups(home);
        Path file = home.resolve("ours/config.json");
        Disk.write(file, "{\"mcpServers\": {\"well\": {\"command\": \"" + home.resolve("server") + "\"}}}", false);
        Disk.write(home.resolve(".cursor/mcp.json"), "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}}", false);
        Disk.write(home.resolve("project/.mcp.json"), "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}", false);
        if (!(ConfigFile.read(HostEnvironments.of(platform), file, Overrides.NONE)
                instanceof ReadResult.Usable(Configuration read, var warnings))) {
            throw new AssertionError("the configuration is usable");
        }
        gateway = GatewayCore.open(platform, read, CoreOptions.of(ServeMode.TO_MANY));
        adminSocket = AdminSocket.open(platform, gateway);
        // What a server writes comes when it comes, and `logs` must have something to show.
        gateway.logBuffer().write(LogBuffer.OWN, "INFO opened");
        System.setProperty(LAUNCHER, "/opt/fusebox/fusebox");
        list(file);
    }

    @AfterEach
    void close() {
        System.clearProperty(LAUNCHER);
        adminSocket.drain();
        adminSocket.close();
        gateway.close();
    }

    private void list(Path file) {
        String config = " --config " + file;
        reports.put("config check" + config, Set.of("file", "usable", "problems", "servers", "warnings"));
        reports.put("config schema", Set.of("$schema"));
        reports.put("service status", Set.of("state"));
        reports.put("profile list" + config, Set.of("profiles"));
        reports.put("doctor" + config, Set.of("file", "healthy", "failed", "total", "servers", "common"));
        reports.put("status", Set.of("gateways"));
        reports.put("list", Set.of("gateways"));
        reports.put("tools", Set.of("gateways"));
        reports.put("call well b", Set.of("content"));
        reports.put("login --list" + config, Set.of("logins"));
        reports.put("cache clear", Set.of("removed"));
        reports.put("secret list" + config, Set.of("store", "secrets"));
        reports.put("logs", Set.of("number", "at", "text"));
        reports.put("breaker show", Set.of("breakers"));
        reports.put("breaker open well", Set.of("state"));
        reports.put("breaker reset well", Set.of("state"));
        reports.put("connect well", Set.of("message"));
        reports.put("restart well", Set.of("message"));
        reports.put("init" + config, Set.of("config", "configIsNew", "written", "clients", "notRead", "restart"));
        reports.put(
                "allow " + home.resolve("project/.mcp.json"),
                Set.of("file", "allowed", "servers", "settings", "secretProgram"));
        reports.put("import" + config, Set.of("file", "written", "backup", "servers", "unreadable"));
        for (String editing : List.of("add more" + config + " x", "disable more" + config, "enable more" + config)) {
            reports.put(editing, Set.of("command", "server", "file", "changed", "backup"));
        }
        reports.put("remove more" + config, Set.of("command", "server", "file", "changed", "backup"));
        reports.put("version", Set.of("fusebox", "java"));
        reports.put("help", Set.of("commands"));
    }

    private ExitStatus run(boolean color, String line, String... more) {
        out.reset();
        err.reset();
        CommandOutput output =
                new CommandOutput(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), color);
        List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
        // In front of what may be another program's.
        words.addAll(line.startsWith("add ") ? 2 : words.size(), List.of(more));
        return new CommandLine(Main.commands(platform)).run(words, output);
    }

    @Test
    void every_reporting_command_is_covered() {
        Set<String> tried = reports.keySet().stream()
                .map(line -> line.split(" ", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
        tried.addAll(NO_REPORTS);
        tried.remove("help");
        assertThat(tried)
                .containsExactlyInAnyOrderElementsOf(Main.COMMANDS.stream()
                        .filter(command -> !command.isHidden())
                        .map(Command::name)
                        .toList());
    }

    @Test
    void every_report_has_stable_json() {
        reports.forEach((line, members) -> {
            boolean isJsonAnyhow = line.equals("config schema");
            ExitStatus exitStatus = run(false, line, isJsonAnyhow ? new String[0] : new String[] {"--json"});
            assertThat(exitStatus).as(line + ": " + err).isNotEqualTo(ExitStatus.USAGE);
            Stream<String> texts = line.equals("logs") ? out.toString(UTF_8).lines() : Stream.of(out.toString(UTF_8));
            assertThat(texts.toList())
                    .as(line)
                    .isNotEmpty()
                    .allSatisfy(text -> assertThat(names(text)).as(line).containsAll(members));
        });
    }

    private static Set<String> names(String json) {
        Set<String> names = new TreeSet<>();
        Objects.requireNonNull(JsonView.of(json)).forEachMember((name, value) -> names.add(name));
        return names;
    }

    @Test
    void repeated_option_is_rejected() {
        Set<String> many = Set.of("--client", "--from", "--rename", "--env", "--header", "--scope");
        Set<String> ofLauncher = Set.of("--setup");
        Map<String, String> actions = Map.of(
                "config",
                "config check",
                "breaker",
                "breaker open",
                "profile",
                "profile list",
                "service",
                "service status");
        for (Command command : Main.commands(platform)) {
            String line = actions.getOrDefault(command.name(), command.name());
            HelpTexts.read().options(command.name()).stream()
                    .filter(option -> !many.contains(option) && !ofLauncher.contains(option))
                    .forEach(option -> {
                        String[] twice = option.equals("--no-prefix")
                                ? new String[] {option, option}
                                : new String[] {option, "1", option, "1"};
                        assertThat(run(false, line, twice))
                                .as(line + " " + option + ": " + err)
                                .isEqualTo(ExitStatus.USAGE);
                        assertThat(err.toString(UTF_8)).contains(option + " is given twice");
                    });
        }
    }

    @Test
    void no_command_writes_escapes_without_color() {
        for (String line : reports.keySet()) {
            assertThat(run(false, line)).as(line + ": " + err).isNotEqualTo(ExitStatus.USAGE);
            assertThat(out.toString(UTF_8) + err).as(line).isNotEmpty().doesNotContain("\u001b");
        }
        run(true, "status");
        assertThat(out.toString(UTF_8)).as("where it is wanted").contains("\u001b[1mgateway");
    }

    @Test
    void second_init_changes_nothing() throws Exception {
        Path file = home.resolve(".cursor/mcp.json");
        run(false, "init --yes");
        String once = Files.readString(file);
        List<String> names = Disk.namesIn(home.resolve(".cursor"));
        assertThat(once).contains("/opt/fusebox/fusebox").doesNotContain("\"other\"");
        assertThat(home.resolve("ours/config.json")).content().contains("\"other\"");
        run(false, "init --yes --json");
        assertThat(out.toString(UTF_8)).contains("\"change\":\"none\"").doesNotContain("\"add\"", "\"replace\"");
        assertThat(Files.readString(file)).isEqualTo(once);
        assertThat(Disk.namesIn(home.resolve(".cursor"))).isEqualTo(names);
    }
}
