package dev.fusebox.cli;

import static dev.fusebox.cli.DoctorWarnings.warnings;
import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The command `doctor`, before real processes and sockets. Takes some seconds: fifty servers start or are
/// reached.
@Tag("process")
@Timeout(300)
class DoctorCommandTest {
    private static final String USUAL_PATH = System.getenv("PATH");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path home;

    private Platform platform;

    @BeforeEach
    void open() {
        platform = Platform.system().withEnvironment(Map.of("FUSEBOX_HOME", home.toString(), "PATH", USUAL_PATH));
    }

    private ExitStatus run(String... words) {
        out.reset();
        err.reset();
        CommandOutput output =
                new CommandOutput(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
        return new DoctorCommand(platform).run(List.of(words), output);
    }

    private String out() {
        return out.toString(UTF_8);
    }

    private JsonView json() {
        return JsonView.of(out());
    }

    private void configure(String text) throws IOException {
        Files.writeString(home.resolve("config.json"), text);
    }

    // ---- Broken setups

    @Test
    void missing_variables_are_reported_once_with_server() throws IOException {
        configure("{\"mcpServers\": {\"gh\": {\"command\": \"true\", \"env\": {\"T\": \"${NOT_SET_HERE}\"}}}}");
        assertThat(run("--config-only")).isEqualTo(ExitStatus.FAILED);
        assertThat(out()).doesNotContain("config-warning");
        String ahead = out().substring(0, out().indexOf("failed\n"));
        assertThat(ahead).containsOnlyOnce("NOT_SET_HERE [variable-missing]");
        assertThat(out()).as("the remedy").containsOnlyOnce("export NOT_SET_HERE=VALUE");
    }

    @Test
    void empty_configuration_is_reported_with_commands() throws IOException {
        configure("{\"mcpServers\": {}}");
        assertThat(run("--config-only")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("→ `./fusebox init` moves your clients' servers to Fusebox");
    }

    @Test
    void downloads_extend_default_limit() throws Exception {
        DoctorOptions usual = DoctorOptions.parse(List.of());
        assertThat(usual.forDownloads().limit()).isGreaterThan(usual.limit());
        DoctorOptions given = DoctorOptions.parse(List.of("--timeout", "1000"));
        assertThat(given.forDownloads().limit()).isEqualTo(given.limit());
    }

    @Test
    void every_broken_setup_is_reported_with_cause_and_remedy() throws Exception {
        try (StatusServer web = new StatusServer();
                ExpiredServer expired = ExpiredServer.in(home)) {
            BrokenSetups setups = new BrokenSetups(home)
                    .withFiles()
                    .withExits()
                    .withCrashes()
                    .withAnswers()
                    .withConfigs()
                    .withUrls(web)
                    .withCertificates(expired.port(), expired.authority());
            configure(setups.config());

            assertThat(run("--json", "--timeout", "200000")).isEqualTo(ExitStatus.FAILED);

            assertThat(setups.cases()).hasSizeGreaterThanOrEqualTo(45);
            assertThat(out()).doesNotContain("time-over", "s3cr3t-canary");
            List<JsonView> servers =
                    Objects.requireNonNull(json().member("servers")).elements();
            assertThat(servers).hasSameSizeAs(setups.cases());
            for (int i = 0; i < servers.size(); i++) {
                check(setups.cases().get(i), servers.get(i));
            }
            assertThat(run("--timeout", "200000", "closes", "warn-noise")).isEqualTo(ExitStatus.FAILED);
            assertThat(out())
                    .contains("closes\n", "  ✗ spawn: ", "    → ", "  ⚠ spawn: ", "\n✗ 1 of 2 server(s) failed")
                    .containsPattern("\nfailed\n  1\\. closes: .* \\[output-closed]\n    → .*\n\n✗ ");
        }
    }

    private static void check(BrokenSetups.Case expected, JsonView found) {
        assertThat(found.string("name")).isEqualTo(expected.name());
        assertThat(found.string("severity")).as(found.json()).isEqualTo(expected.isFailure() ? "fail" : "warn");
        JsonView finding = null;
        for (JsonView each : Objects.requireNonNull(found.member("findings")).elements()) {
            boolean isOk = "ok".equals(each.string("severity"));
            assertThat(isOk || each.string("remedy") != null)
                    .as("a remedy in " + each.json())
                    .isTrue();
            assertThat(isOk || "docs/errors/%s.md".formatted(each.string("id")).equals(each.string("help")))
                    .isTrue();
            finding = expected.ids().contains(each.string("id")) ? each : finding;
        }
        assertThat(finding).as(expected.ids() + " in " + found.json()).isNotNull();
        String text = text(Objects.requireNonNull(finding));
        assertThat(expected.words())
                .allSatisfy(word -> assertThat(text).as(expected.name()).contains(word));
    }

    /// As people read it.
    private static String text(JsonView finding) {
        StringBuilder text = new StringBuilder(finding.string("cause"));
        for (JsonView line : Objects.requireNonNull(finding.member("evidence")).elements()) {
            text.append('\n').append(line.string());
        }
        return text.append('\n').append(finding.string("remedy")).toString();
    }

    @Test
    void named_server_suppresses_warnings_about_others() throws Exception {
        configure("""
                {"mcpServers": {
                  "one": {"command": "cat", "timeoutMs": 50},
                  "o/~er": {"command": "cat", "timeoutMs": 51}}}
                """);
        run("--config-only", "one");
        assertThat(out()).contains("/mcpServers/one/timeoutMs").doesNotContain("/mcpServers/o~1");
        run("--config-only", "o--er");
        assertThat(out()).contains("/mcpServers/o~1~0er/timeoutMs").doesNotContain("/mcpServers/one");
        run("--config-only");
        assertThat(out()).contains("/mcpServers/one/timeoutMs", "/mcpServers/o~1~0er/timeoutMs");
    }

    @Test
    void run_ends_within_limit_if_no_server_answers() throws Exception {
        String mute = "{\"command\": \"sh\", \"args\": [\"-c\", \"while read -r line; do :; done\"]}";
        Path npx = home.resolve("npx");
        Disk.write(npx, "#!/bin/sh\nwhile read -r line; do :; done\n", true);
        try (ServerSocket hole = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            configure("{\"mcpServers\": {\"a\": " + mute + ", \"b\": {\"command\": \"" + npx
                    + "\"}, \"c\": {\"url\": \"http://127.0.0.1:" + hole.getLocalPort() + "/mcp\"}}}");
            long begun = System.nanoTime();
            assertThat(run("--json", "--timeout", "6000")).isEqualTo(ExitStatus.FAILED);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            // Several times the time, for a machine that is busy; without an end each server would have a minute.
            assertThat(millis).isLessThan(30_000);
            assertThat(json().member("failed")).hasToString("3");
            assertThat(out()).contains("handshake-silent", "; npx may still be downloading it");
        }
    }

    @Test
    void failures_are_repeated_at_end_with_remedies() throws Exception {
        configure("""
                {"mcpServers": {
                  "a": {"command": "/nowhere/a"},
                  "b": {"command": "cat", "disabled": true},
                  "c": {"command": "sh", "env": {"T": "${NOT_SET_HERE}"}}}}
                """);
        assertThat(run("--config-only")).isEqualTo(ExitStatus.FAILED);
        String file = home.resolve("config.json").toString();
        assertThat(out()).endsWith("""

                failed
                  1. a: the file /nowhere/a does not exist [command-not-found]
                    → %s:2: correct the path of "command"
                  2. c: a variable is not set: NOT_SET_HERE [variable-missing]
                    → %s:4: `export NOT_SET_HERE=VALUE` before Fusebox is started sets it, or write \
                ${NOT_SET_HERE:-default} for a default value

                ✗ 2 of 3 server(s) failed diagnostic
                """.formatted(file, file));
    }

    @Test
    void healthy_server_takes_one_line_unless_named() throws Exception {
        assertThat(new BrokenSetups(home).cases()).isEmpty();
        String well = "{\"command\": \"" + home.resolve("server") + "\"}";
        Disk.write(home.resolve("long"), "#!/bin/sh\nseq 1 15 >&2\nexit 1\n", true);
        configure("{\"mcpServers\": {\"one\": " + well + ", \"two\": " + well + ", \"off\": {\"command\": \"cat\","
                + " \"disabled\": true}, \"sick\": {\"command\": \"" + home.resolve("long") + "\"}}}");
        assertThat(run()).isEqualTo(ExitStatus.FAILED);
        assertThat(out())
                .startsWith("✓ one: initialize in ")
                .containsPattern("\n✓ two: .*1 tool on 1 page.*\n\noff\n  ⚠ config: .*\n    → `.*` enables it\n")
                .contains("stderr: 15\n")
                .doesNotContain("stderr: 9\n", "round-trip");
        assertThat(run("one", "off")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("  ✓ round-trip: ").endsWith("✓ all 1 server(s) healthy, 1 disabled\n");
        assertThat(run("off")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).endsWith("✓ no server to check, 1 disabled\n");
    }

    @Test
    void color_is_used_on_color_terminals() throws Exception {
        configure("{\"mcpServers\": {\"a\": {\"command\": \"/nowhere/a\"}, \"b\": {\"command\": \"sh\"}}}");
        CommandOutput output =
                new CommandOutput(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), true);
        new DoctorCommand(platform).run(List.of("--config-only"), output);
        assertThat(out())
                .contains("\u001b[1ma\u001b[0m\n", "\u001b[31m  ✗ command: ", "\u001b[32m✓ b: ")
                .contains("\u001b[1m    → ", "\u001b[1mfailed\u001b[0m\n", "\u001b[31m✗ 1 of 2 ");
    }

    @Test
    void variable_name_invalid_in_shells_gets_valid_suggestion() throws Exception {
        configure("{\"mcpServers\": {\"a\": {\"command\": \"sh\", \"env\": {\"T\": \"${MY-TOKEN.X}\"}}}}");
        assertThat(run("--config-only")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("no shell can set MY-TOKEN.X: write ${MY_TOKEN_X}");
    }

    // ---- Healthy ones

    @Test
    void tilde_path_is_no_finding_for_working_server() throws Exception {
        assertThat(new BrokenSetups(home).cases()).isEmpty();
        configure("{\"mcpServers\": {\"small\": {\"command\": \"" + home.resolve("server")
                + "\", \"args\": [\"~/notes\"]}}}");
        assertThat(run()).as(out()).isEqualTo(ExitStatus.DONE);
        assertThat(out()).doesNotContain("home-not-expanded");
        assertThat(run("--config-only")).isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("⚠ launch: the server gets ~/notes unexpanded", "[home-not-expanded]");
    }

    @Test
    void unpinned_package_is_note_and_no_warning() throws Exception {
        assertThat(new BrokenSetups(home).cases()).isEmpty();
        Disk.write(home.resolve("npx"), "#!/bin/sh\nexec " + home.resolve("server") + "\n", true);
        configure("{\"mcpServers\": {\"small\": {\"command\": \"npx\", \"args\": [\"-y\", \"@a/b\"], \"env\":"
                + " {\"PATH\": \"" + home + ":/usr/bin:/bin\"}}}}");
        assertThat(run()).as(out()).isEqualTo(ExitStatus.DONE);
        assertThat(out())
                .contains(
                        "launch: npx starts the latest version in the registry for small; NAME@1.2.3 pins a version\n");
        assertThat(warnings(out())).isEmpty();
    }

    @Test
    void configuration_of_readme_has_no_warnings() throws Exception {
        List<String> files = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "README.md")))
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains("\"command\""))
                .toList();
        assertThat(files).isNotEmpty();
        for (String file : files) {
            configure(file);
            assertThat(run("--config-only")).as(out()).isNotEqualTo(ExitStatus.USAGE);
            assertThat(out()).contains("✓ launch: npx starts");
            assertThat(warnings(out())).isEmpty();
        }
    }

    @Test
    void working_servers_report_handshake_tools_and_round_trip() throws Exception {
        BrokenSetups setups = new BrokenSetups(home);
        configure("{\"mcpServers\": {\"small\": {\"command\": \"" + home.resolve("server") + "\"}}}");
        assertThat(setups.cases()).isEmpty();
        assertThat(run()).isEqualTo(ExitStatus.DONE);
        assertThat(out())
                .startsWith("small\n  ✓ command: ")
                .contains("  ✓ handshake: initialize in ", "2025-11-25, small 1, offers tools")
                .contains("  ✓ tools: 1 tool on 1 page", "  ✓ round-trip: ping answered in ")
                .contains("  ✓ tokens: 1 tool", "  ✓ memory use: the servers use ")
                .endsWith("✓ all 1 server(s) healthy\n");
    }

    @Test
    void config_only_starts_nothing() throws Exception {
        Path trace = home.resolve("started");
        configure("{\"mcpServers\": {\"one\": {\"command\": \"touch\", \"args\": [\"" + trace + "\"]}}}");
        assertThat(run("--config-only")).isEqualTo(ExitStatus.DONE);
        assertThat(trace).doesNotExist();
        assertThat(run("--timeout", "20000")).isEqualTo(ExitStatus.FAILED);
        assertThat(trace).exists();
    }

    // ---- A file that cannot be used

    @Test
    void unusable_file_is_reported_with_line_and_exit_code_2() throws Exception {
        assertThat(run()).isEqualTo(ExitStatus.USAGE);
        assertThat(out())
                .contains("[config-missing]", "→ `./fusebox init` moves ", "`./fusebox help add`")
                .contains("failed\n  1. gateway: no configuration found");
        configure("{\n  \"mcpServers\": {,}\n}");
        assertThat(run()).isEqualTo(ExitStatus.USAGE);
        assertThat(out()).contains("[config-invalid]", "config.json:2:18: fix it");
        configure("{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"A\": {\"command\": \"x\"}}}");
        assertThat(run("--config-only")).isNotEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("ids are case-insensitive");
        configure("{\"mcpServers\": {}, \"brekaer\": {}}");
        assertThat(run()).isEqualTo(ExitStatus.USAGE);
        assertThat(out()).contains("did you mean \"breaker\"?");
    }

    @Test
    void usage_errors_are_reported() throws Exception {
        configure("{\"mcpServers\": {\"files\": {\"command\": \"x\"}}}");
        assertThat(run("--jsn")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("--timeout", "soon")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("flies")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString(UTF_8)).contains("did you mean \"files\"?");
    }

    // ---- What was left behind

    @Test
    void orphans_are_reported_and_fixed_on_request() throws Exception {
        configure("{\"mcpServers\": {}}");
        Path run = Files.createDirectories(home.resolve("run"));
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path token = Files.writeString(run.resolve("admin.token"), "x");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        Process orphan = reportedOrphan();
        try {
            assertThat(out()).contains("[files-open]", "→ `./fusebox doctor --fix` ");
            assertThat(run("--fix")).isEqualTo(ExitStatus.DONE);
            assertThat(orphan.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.getPosixFilePermissions(token)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(Files.getPosixFilePermissions(run)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
            assertThat(run()).isEqualTo(ExitStatus.DONE);
            assertThat(out()).doesNotContain("process " + orphan.pid(), "[files-open]");
        } finally {
            orphan.destroyForcibly();
        }
    }

    /// Tests that run beside this one end orphans as well, and have orphans, of which only a few are shown.
    private Process reportedOrphan() {
        AtomicReference<Process> last = new AtomicReference<>();
        eventually("a live orphan is reported", () -> {
            Process orphan = orphan();
            Process before = last.getAndSet(orphan);
            if (before != null) {
                before.destroyForcibly();
            }
            assertThat(run()).isEqualTo(ExitStatus.DONE);
            assertThat(out()).contains("[orphans]", "process " + orphan.pid());
            assertThat(orphan.isAlive()).isTrue();
        });
        return Objects.requireNonNull(last.get());
    }

    /// Waits for a line that never comes, under the mark of a gateway that never was.
    private static Process orphan() {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "echo runs; read -r line");
        builder.environment().put("FUSEBOX_TREE", "4194999.17.00000000deadbeef.1");
        try {
            Process process = builder.start();
            // The mark can be read only once the program runs.
            assertThat(process.inputReader(UTF_8).readLine()).isEqualTo("runs");
            return process;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
