package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands that are started in a folder with a `.mcp.json`, each as a process of its own.
///
/// Over five seconds: each command is a process of its own, up to a dozen in a test.
@Tag("process")
@Timeout(300)
class ProjectFileProcessTest {
    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
            + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n";

    @TempDir
    private Path folder;

    private Path project;
    private Path file;

    @BeforeEach
    void write() throws IOException {
        new BrokenSetups(folder);
        project = Files.createDirectory(folder.resolve("project"));
        Files.setPosixFilePermissions(project, PosixFilePermissions.fromString("rwxr-xr-x"));
        file = project.resolve(".mcp.json");
        Disk.write(file, servers("strange", true), false);
    }

    /// A server that leaves a file behind when it is started; `eager` ones are started before any call.
    private String servers(String name, boolean isEager) {
        String command = ": >" + ran(name) + "; exec " + folder.resolve("server");
        return "{\"mcpServers\":{\"" + name + "\":{\"command\":\"/bin/sh\",\"args\":[\"-c\",\"" + command + "\"],"
                + "\"env\":{\"SOME_MODE\":\"plain value\",\"A_TOKEN\":\"hunter2hunter2\"}"
                + (isEager ? ",\"lifecycle\":{\"mode\":\"keep-alive\",\"eager\":true}" : "")
                + "}},\"http\":{\"port\":0}}";
    }

    private void ownFile() {
        Disk.write(
                home().resolve("config.json"),
                "{\"mcpServers\":{\"mine\":{\"command\":\"" + folder.resolve("server") + "\"}}}",
                false);
    }

    private Path home() {
        return folder.resolve("home/.fusebox");
    }

    private Path ran(String name) {
        return folder.resolve("ran-" + name);
    }

    private boolean hasRun(String name) {
        return Files.exists(ran(name));
    }

    private record Result(int code, String out, String err) {}

    private ProcessBuilder starting(List<String> before, String... words) {
        List<String> command = new ArrayList<>(before);
        command.addAll(Launched.command(words));
        ProcessBuilder builder = new ProcessBuilder(command).directory(project.toFile());
        builder.environment().put("HOME", folder.resolve("home").toString());
        builder.environment().remove("FUSEBOX_HOME");
        return builder;
    }

    private Result run(String... words) throws Exception {
        return run(List.of(), words);
    }

    private Result run(List<String> before, String... words) throws Exception {
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        Process process = starting(before, words)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try (var in = process.getOutputStream()) {
            in.write(words[0].equals("serve") ? INITIALIZE.getBytes(UTF_8) : new byte[0]);
        } catch (IOException ended) {
            // A command that refuses its configuration does not read.
        }
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private String unusedProject(String why) {
        return "not using " + file + ", because it " + why;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "serve",
                "doctor",
                "doctor --json",
                "call strange b",
                "status --json",
                "list",
                "tools",
                "config check --json"
            })
    void unapproved_file_runs_nothing_and_prints_allow_command(String line) throws Exception {
        String[] words = line.split(" ", -1);
        Result alone = run(words);
        assertThat(alone.code()).as(alone.err() + alone.out()).isEqualTo(2);
        assertThat(line.startsWith("doctor") ? alone.out() : alone.err())
                .contains(
                        unusedProject("has not been allowed"),
                        "./fusebox allow " + file,
                        home() + "/config.json does not exist");

        ownFile();
        Result result = run(words);
        assertThat(result.err().lines().filter(each -> each.contains("not using")))
                .singleElement()
                .satisfies(each -> assertThat(each)
                        .contains(
                                unusedProject("has not been allowed"), "./fusebox allow " + file, "--config " + file));
        assertThat(result.err())
                .contains("fusebox: using " + home().resolve("config.json"))
                .as("records of the logging framework")
                .doesNotContain("dev.fusebox.");
        assertThat(result.out().replace("unknown server \"strange\"", "")).doesNotContain("strange");
        assertThat(result.code()).as(result.err()).isEqualTo(line.startsWith("call") ? 1 : 0);
        if (line.contains("--json")) {
            JsonView.parse(result.out().getBytes(UTF_8));
        }
        if (line.equals("serve")) {
            assertThat(result.out().lines()).hasSize(1).allMatch(each -> each.startsWith("{"));
        }
        if (line.startsWith("doctor")) {
            assertThat(result.out()).contains("config-not-allowed");
        }
        assertThat(hasRun("strange")).isFalse();
        assertThat(home().resolve("allowed")).doesNotExist();
    }

    @Test
    void allow_shows_commands_and_lasts_until_file_changes() throws Exception {
        ownFile();
        Result allowed = run("allow");
        assertThat(allowed.code()).as(allowed.err()).isZero();
        assertThat(allowed.out())
                .contains(file.toString(), "strange", "/bin/sh -c \": >" + folder, "env SOME_MODE, A_TOKEN")
                .contains("also sets lifecycle", "The file also sets http")
                .doesNotContain("plain value", "hunter2");
        assertThat(hasRun("strange")).as("allowing starts nothing").isFalse();

        Result call = run("call", "strange", "b");
        assertThat(call.out()).as(call.err()).contains("done");
        assertThat(call.err()).contains("fusebox: using " + file).doesNotContain("not using");
        Disk.write(file, servers("other", true), false);
        Result changed = run("call", "strange", "b");
        assertThat(changed.err()).contains(unusedProject("has changed since it was allowed at "));
        assertThat(changed.code()).isEqualTo(1);
        assertThat(hasRun("other")).isFalse();

        Result again = run("allow", file.toString(), "--json");
        JsonView told = JsonView.of(again.out().strip());
        assertThat(told.string("file")).isEqualTo(file.toString());
        assertThat(Objects.requireNonNull(told.member("servers")).elements())
                .singleElement()
                .satisfies(server -> assertThat(server.string("name")).isEqualTo("other"));
        assertThat(again.out()).doesNotContain("hunter2");
        assertThat(run("list").out()).contains("other");
    }

    @Test
    void named_file_is_used_without_approval() throws Exception {
        Result call = run("call", "strange", "b", "--config", ".mcp.json");
        assertThat(call.out()).as(call.err()).contains("done");
        assertThat(hasRun("strange")).isTrue();
        assertThat(run("serve", "--config", ".mcp.json").err()).contains("fusebox: using .mcp.json");
        assertThat(home().resolve("allowed")).doesNotExist();
        assertThat(run("list").err()).contains(unusedProject("has not been allowed"));
    }

    @Test
    void unusable_file_is_not_allowed() throws Exception {
        Result other = run("allow", folder.resolve("server").toString());
        assertThat(other.code()).isEqualTo(2);
        assertThat(other.err()).contains("is not named .mcp.json", "--config FILE");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        Result open = run("allow");
        assertThat(open.code()).isEqualTo(1);
        assertThat(open.err()).contains("may be written by other users", "chmod go-w " + file);
        Disk.write(file, "{\"mcpServers\":{\"a\":", false);
        Result broken = run("allow");
        assertThat(broken.code()).isEqualTo(2);
        assertThat(broken.err()).contains("is not JSON", "file not allowed");
        Files.delete(file);
        Result none = run("allow");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains(file + " does not exist");
        assertThat(home().resolve("allowed")).doesNotExist();
    }

    /// S66
    @Test
    void unreadable_approval_store_allows_nothing() throws Exception {
        ownFile();
        assertThat(run("allow").code()).isZero();
        Path store = home().resolve("allowed");
        Path record = Objects.requireNonNull(
                Disk.everything(store).filter(Files::isRegularFile).findFirst().orElse(null));
        Files.writeString(record, "");
        Result doctor = run("doctor", "--config-only");
        assertThat(doctor.out()).contains("[config-not-allowed]", record + " is not an approval record");
        assertThat(doctor.err()).contains("fusebox: using " + home().resolve("config.json"));
        assertThat(hasRun("strange")).isFalse();
    }

    private static boolean works(List<String> before) throws InterruptedException {
        List<String> command = Stream.concat(before.stream(), Stream.of("true")).toList();
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    @Test
    void file_of_other_user_is_ignored() throws Exception {
        assumeTrue(Files.getAttribute(file, "unix:uid").equals(0), "skipped: only root can be another user");
        assertThat(run("allow").code()).isZero();
        Files.setAttribute(file, "unix:uid", 12_345);
        Result list = run("list");
        assertThat(list.code()).isEqualTo(2);
        assertThat(list.err()).contains(unusedProject("belongs to 12345 and not to root"));
        Files.setAttribute(file, "unix:uid", 0);
        assertThat(run("list").out()).contains("strange");

        // May read all modules of this build, wherever they are, and writes nothing of others.
        List<String> asAnotherUser = List.of(
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                "--inh-caps=+dac_read_search",
                "--ambient-caps=+dac_read_search");
        assumeTrue(works(asAnotherUser), "skipped: this machine lets no process run as another user");
        Path theirHome = Files.createDirectory(folder.resolve("theirs"));
        Files.setAttribute(theirHome, "unix:uid", 65_534);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> theirs = Stream.concat(asAnotherUser.stream(), Stream.of("env", "HOME=" + theirHome))
                .toList();
        Result asOther = run(theirs, "allow");
        assertThat(asOther.err()).as(asOther.out()).contains(file + " belongs to root and not to ");
        assertThat(asOther.code()).isEqualTo(1);
        assertThat(run(theirs, "list").err()).contains(unusedProject("belongs to root and not to "));
    }

    @Test
    void gateway_applies_only_approved_content() throws Exception {
        assertThat(run("allow").code()).isZero();
        Path err = Files.createTempFile(folder, "err", "");
        Process gateway = starting(List.of(), "serve", "--transport", "http")
                .redirectError(err.toFile())
                .start();
        try {
            eventually("the gateway serves", () -> assertThat(Disk.read(err)).contains("serving on"));
            assertThat(Disk.read(err)).contains("fusebox: using " + file);
            eventually("the eager server was started", () -> hasRun("strange"));

            Disk.write(file, servers("worse", true), false);
            eventually("the change is refused", () -> assertThat(Disk.read(err)).contains("configuration rejected"));
            assertThat(Disk.read(err).lines().filter(line -> line.contains("configuration rejected")))
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .contains(file + ": the configuration has changed since it was allowed at ")
                            .contains("./fusebox allow " + file));
            assertThat(hasRun("worse")).isFalse();
            assertThat(run("list").out()).contains("strange").doesNotContain("worse");

            assertThat(run("allow").code()).isZero();
            eventually(
                    "the change is applied", () -> assertThat(Disk.read(err)).contains("added worse; removed strange"));
            eventually("the new eager server was started", () -> hasRun("worse"));
        } finally {
            gateway.destroy();
            assertThat(gateway.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void missing_home_requires_named_file() throws Exception {
        ProcessBuilder builder = starting(List.of(), "list");
        builder.environment().remove("HOME");
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
        assertThat(process.exitValue()).as(err).isIn(1, 2);
        assertThat(err).contains("neither FUSEBOX_HOME nor HOME is set");
    }

    // ---- Changing files

    @Test
    void commands_edit_user_file_unless_project_is_selected() throws Exception {
        String before = Files.readString(file);
        Result added = run("add", "mine", folder.resolve("server").toString());
        assertThat(added.code()).as(added.err()).isZero();
        assertThat(added.out()).contains(home().resolve("config.json") + ": added mine");
        Disk.write(
                folder.resolve("home/.cursor/mcp.json"),
                "{\"mcpServers\":{\"theirs\":{\"command\":\"x\",\"env\":{\"A_TOKEN\":\"hunter2hunter2\"}}}}",
                false);
        assertThat(run("import").out()).contains("Dry run: nothing was written. `./fusebox import --yes`");
        assertThat(home().resolve("config.json")).content().doesNotContain("theirs");
        assertThat(run("import", "--yes").code()).isZero();
        assertThat(home().resolve("config.json")).content().contains("theirs", "hunter2hunter2");
        assertThat(run("disable", "mine").code()).isZero();
        assertThat(run("enable", "mine").code()).isZero();
        assertThat(run("remove", "mine").code()).isZero();
        assertThat(run("remove", "strange").err()).contains("--project selects ./.mcp.json");
        assertThat(Files.readString(file)).isEqualTo(before);
        assertThat(Disk.namesIn(project)).containsExactly(".mcp.json");

        assertThat(run("add", "mine", "--project", "--config", "x", "y").err()).contains("cannot be combined");
        assertThat(run("disable", "--project", "strange").code()).isZero();
        assertThat(file).content().contains("\"disabled\": true");
    }

    @Test
    void secret_is_never_written_to_project_file() throws Exception {
        Disk.write(
                folder.resolve("home/.cursor/mcp.json"),
                "{\"mcpServers\":{\"theirs\":{\"command\":\"x\",\"env\":{\"A_TOKEN\":\"hunter2hunter2\"}},"
                        + "\"far\":{\"url\":\"https://h/mcp\",\"headers\":{\"Authorization\":\"Bearer abcdef\"}}}}",
                false);
        Result imported = run("import", "--project", "--yes");
        assertThat(imported.code()).as(imported.err()).isZero();
        assertThat(imported.out())
                .contains("env A_TOKEN looks like a secret and is replaced by ${A_TOKEN}: export A_TOKEN")
                .contains("${FAR_AUTHORIZATION}")
                .doesNotContain("hunter2", "abcdef");
        assertThat(file)
                .content()
                .contains("\"theirs\"", "\"A_TOKEN\": \"${A_TOKEN}\"", "Bearer ${FAR_AUTHORIZATION}")
                .doesNotContain("abcdef");
        String before = Files.readString(file);
        Result added = run("add", "more", "--project", "--env", "KEY=q1w2e3r4", "x", "--token", "secret-one");
        assertThat(added.code()).isEqualTo(2);
        assertThat(added.err())
                .contains("file not changed", "env KEY (write '${KEY}')", "argument --token (write '${MORE_TOKEN}')")
                .contains("export", "--config FILE")
                .doesNotContain("q1w2e3r4", "secret-one");
        assertThat(Files.readString(file)).isEqualTo(before);
        assertThat(run("add", "more", "--project", "--env", "KEY=${KEY}", "x").code())
                .isZero();
    }

    /// A copy has another name than the file, which the repository may not leave out.
    @Test
    void backups_of_project_file_are_kept_elsewhere() throws Exception {
        String server = folder.resolve("server").toString();
        String before = Files.readString(file);
        Result added = run("add", "mine", "--project", "--json", server);
        assertThat(added.code()).as(added.err()).isZero();
        assertThat(added.out() + added.err()).doesNotContain("hunter2");
        assertThat(Disk.namesIn(project)).containsExactly(".mcp.json");
        Path copy =
                Path.of(Objects.requireNonNull(JsonView.of(added.out().strip()).string("backup")));
        assertThat(copy).hasContent(before).hasParent(home().resolve("copies"));
        assertThat(Files.getPosixFilePermissions(copy)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(home().resolve("copies/.gitignore")).hasContent("*");

        for (String command : List.of("disable", "enable", "remove")) {
            assertThat(run(command, "mine", "--project").code()).isZero();
        }
        assertThat(Disk.namesIn(project)).containsExactly(".mcp.json");
        assertThat(Disk.namesIn(home().resolve("copies"))).hasSize(5);
    }

    /// A home that is kept in a repository, and a file that is named in one.
    @Test
    void secret_is_never_written_to_work_tree_file() throws Exception {
        Files.createDirectories(folder.resolve("home/.git"));
        Result added = run("add", "more", "--env", "A_TOKEN=hunter2hunter2", "x");
        assertThat(added.code()).isEqualTo(2);
        assertThat(added.err())
                .contains(home().resolve("config.json") + " is in the work tree " + folder.resolve("home"));
        assertThat(home().resolve("config.json")).doesNotExist();
        Result elsewhere =
                run("add", "more", "--config", folder.resolve("x.json").toString(), "--env", "A_TOKEN=hunter2", "x");
        assertThat(elsewhere.code()).as(elsewhere.err()).isZero();
    }

    @Test
    void edit_by_command_keeps_approval() throws Exception {
        Files.delete(file);
        assertThat(run("add", "mine", "--project", folder.resolve("server").toString())
                        .code())
                .isZero();
        assertThat(run("list").out()).as("a file that was made by its owner").contains("mine");
        assertThat(run("add", "more", "--project", "x").code()).isZero();
        assertThat(run("list").out()).contains("mine", "more");
        Disk.write(file, servers("strange", true), false);
        Result added = run("add", "more", "--project", "x");
        assertThat(added.err()).contains(file + " is only used with --config: it has changed since it was allowed");
        assertThat(run("list").code()).isEqualTo(2);
        assertThat(hasRun("strange")).isFalse();
    }
}
