package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.edit.ClientFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `init` in the folder of a project, as processes. Over five seconds: four JVMs start, one after the other.
@Tag("process")
@Timeout(240)
class InitCommandProcessTest {
    @TempDir
    private Path folder;

    private Path project;
    private ClientHome home;

    @BeforeEach
    void write() throws Exception {
        project = Files.createDirectory(folder.resolve("project")).toRealPath();
        home = new ClientHome(Files.createDirectory(folder.resolve("home")));
        Disk.make(project.resolve(".git"));
        Disk.write(
                project.resolve(".mcp.json"),
                "{\n  \"mcpServers\": {\"db\": {\"command\": \"./db\","
                        + " \"env\": {\"DB_PASSWORD\": \"hunter2hunter2\"}}}}",
                false);
        Disk.write(
                project.resolve(".vscode/mcp.json"),
                "{\"servers\":{\"here\":{\"command\":\"here\",\"args\":[\"${workspaceFolder}/x\"]}}}",
                false);
        home.write(ClientFile.CURSOR, "{\"mcpServers\":{\"docs\":{\"command\":\"" + folder + "/none\"}}}");
    }

    private String run(int code, String... words) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Launched.with(List.of("-Dfusebox.launcher=/opt/fusebox/fusebox"), words))
                .directory(project.toFile())
                .redirectErrorStream(true);
        builder.environment().put("HOME", home.path().toString());
        builder.environment().remove("FUSEBOX_HOME");
        builder.environment().remove("XDG_CONFIG_HOME");
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(code);
        return said;
    }

    private Map<String, String> everything() {
        Map<String, String> all = new TreeMap<>(new ClientHome(project).everything());
        home.everything().forEach((name, seen) -> all.put("home/" + name, seen));
        return all;
    }

    @Test
    void project_files_are_reported_moved_on_request_and_restored() throws Exception {
        Map<String, String> before = everything();

        assertThat(run(0, "init"))
                .contains("Cursor, ", "docs: would be moved to Fusebox")
                .contains(project.resolve(".mcp.json") + " belongs to the project in this folder and is not changed"
                        + " (db); --project-files moves it as well")
                .contains("VS Code, " + project.resolve(".vscode/mcp.json"));
        assertThat(everything()).isEqualTo(before);

        assertThat(run(0, "init", "--yes", "--project-files")).contains("Restart these clients: Cursor, Claude Code");
        assertThat(Disk.read(project.resolve(".mcp.json"))).contains("fusebox").doesNotContain("hunter2");
        assertThat(Disk.namesIn(project)).as("copies").containsExactlyInAnyOrder(".git", ".mcp.json", ".vscode");
        assertThat(Disk.read(home.path().resolve(".fusebox/config.json")))
                .contains("\"cwd\": \"" + project + "\"", "\"" + project + "/x\"", "hunter2hunter2");

        assertThat(run(0, "init", "--undo")).contains(": restored");
        assertThat(everything()).isEqualTo(before);
        assertThat(run(0, "init", "--undo")).contains("There is nothing to undo.");
    }
}
