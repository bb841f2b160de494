package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.edit.ClientFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The files that `init --undo` restores.
class InitUndoTest extends InitSteps {
    @ParameterizedTest
    @EnumSource
    void created_file_is_deleted_with_created_folders(ClientFile client) {
        Map<String, String> before = home.everything();

        assertThat(init("--client", client.id(), "--yes")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(home.servers(client)).containsExactly("fusebox");
        assertThat(init("--undo", "--client", client.id())).as(said()).isEqualTo(ExitStatus.DONE);

        assertThat(home.everything()).isEqualTo(before);
        assertThat(config).as("used by other clients, maybe").exists();
        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);
        assertThat(config).doesNotExist();
    }

    @Test
    void changed_file_is_restored_only_with_force() {
        Path file =
                home.write(ClientFile.CURSOR, "{\n  \"mcpServers\": {\n    \"docs\": { \"command\": \"x\" }\n  }\n}\n");
        home.write(ClientFile.WINDSURF, "{\"mcpServers\":{\"wind\":{\"command\":\"w\"}}}");
        init("--yes");
        String changed = Disk.read(file).replaceFirst("\\{", "{\n  \"mine\": 1,");
        Disk.write(file, changed, false);
        said();

        assertThat(init("--undo")).isEqualTo(ExitStatus.FAILED);
        assertThat(said())
                .contains("Cursor, " + file + ": not changed: it has changed since init")
                .contains("`./fusebox init --undo --force` removes Fusebox")
                .contains("Windsurf, ", ": restored")
                .contains("Fusebox, " + config + ": not changed: a client still uses it");
        assertThat(Disk.read(file)).isEqualTo(changed);
        assertThat(names()).contains("docs");
        assertThat(init("--undo")).as("again").isEqualTo(ExitStatus.FAILED);

        assertThat(init("--undo", "--force")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(home.servers(ClientFile.CURSOR)).containsExactly("docs");
        assertThat(file).content().contains("\"mine\": 1");
        assertThat(config).doesNotExist();
        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("There is nothing to undo.");
    }

    @Test
    void changed_toml_file_gets_tables_back_with_force() {
        home.fill();
        init("--client", "codex", "--yes");
        Path file = home.file(ClientFile.CODEX);
        Disk.write(file, Disk.read(file) + "\r\n[mine]\r\na = 1\r\n", false);
        said();

        assertThat(init("--undo", "--client", "codex")).isEqualTo(ExitStatus.FAILED);
        assertThat(init("--undo", "--client", "codex", "--force")).as(said()).isEqualTo(ExitStatus.DONE);

        assertThat(home.servers(ClientFile.CODEX)).containsExactlyInAnyOrder("docs", "own-codex");
        assertThat(file).content().contains("[mine]", "# about profiles", "env = { \"MODE\" = \"codex\" }");
    }

    @Test
    void only_backups_of_undone_changes_are_deleted() {
        Path file = home.write(ClientFile.CURSOR, "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}");
        Disk.write(config, "{\"mcpServers\":{\"mine\":{\"command\":\"y\"}}}", false);
        init("--yes");
        new EditCommands(platform).add(List.of("more", "y"), output);
        new EditCommands(platform).add(List.of("most", "y"), output);
        Disk.write(file, Disk.read(file).replaceFirst("\\{", "{\"theirs\": 1,"), false);
        said();

        assertThat(init("--undo", "--force")).as(said()).isEqualTo(ExitStatus.DONE);

        assertThat(names()).containsExactly("mine", "more", "most");
        assertThat(Disk.namesIn(file.resolveSibling(""))).containsExactly("mcp.json");
        assertThat(Disk.namesIn(config.resolveSibling("")))
                .containsExactlyInAnyOrder("config.json", "config.json.before-fusebox-3");
    }

    @Test
    void changed_own_configuration_keeps_servers_without_force() {
        home.write(ClientFile.CURSOR, "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}");
        init("--yes");
        new EditCommands(platform).add(List.of("more", "y"), output);
        said();

        assertThat(init("--undo")).isEqualTo(ExitStatus.FAILED);
        assertThat(said()).contains("--force` removes the servers that init added");
        assertThat(names()).containsExactly("docs", "more");
        assertThat(init("--undo", "--force")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("servers added by init removed");
        assertThat(names()).containsExactly("more");
    }

    @Test
    void file_that_was_restored_by_hand_between_two_runs_is_undone_and_listed_once() {
        String before = "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}";
        Path file = home.write(ClientFile.CURSOR, before);
        init("--yes");
        Disk.write(file, "{\"mine\": 1,\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}", false);
        init("--yes");
        Disk.write(config, Disk.read(config).replaceFirst("\\{", "{\"expose\": \"meta\","), false);
        new EditCommands(platform).remove(List.of("docs"), output);
        said();

        assertThat(init("--undo")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(file).hasContent("{\"mine\": 1,\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}");
        assertThat(config).content().contains("\"expose\": \"meta\"").doesNotContain("docs");
        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("There is nothing to undo.");
    }

    @Test
    void several_changes_of_a_file_are_one_line() {
        home.write(ClientFile.CURSOR, "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}");
        Disk.write(config, "{\"mcpServers\":{},\"profiles\":{\"all\":{}}}", false);
        init("--yes");
        init("--profile", "all", "--yes");
        init("--yes");
        said();

        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);
        assertThat(said().lines())
                .filteredOn(line -> line.startsWith("✓"))
                .containsExactly(
                        "✓ Cursor, " + home.file(ClientFile.CURSOR) + ": restored",
                        "✓ Fusebox, " + config + ": restored");
    }

    @Test
    void change_before_one_that_was_undone_by_hand_is_undone() {
        String before = "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}";
        Path file = home.write(ClientFile.CURSOR, before);
        Disk.write(config, "{\"mcpServers\":{},\"profiles\":{\"all\":{}}}", false);
        init("--yes");
        String first = Disk.read(file);
        init("--profile", "all", "--yes");
        Disk.write(file, first, false);
        said();

        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).containsOnlyOnce("Cursor, " + file).contains("✓ Cursor, " + file + ": restored");
        assertThat(file).hasContent(before);
    }

    @Test
    void file_of_which_only_the_later_change_can_be_undone_is_reported_once() {
        Path file = home.write(ClientFile.CURSOR, "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}");
        Disk.write(config, "{\"mcpServers\":{},\"profiles\":{\"all\":{}}}", false);
        init("--yes");
        String changed = Disk.read(file).replaceFirst("\\{", "{\"mine\": 1,");
        Disk.write(file, changed, false);
        init("--profile", "all", "--yes");
        said();

        assertThat(init("--undo")).isEqualTo(ExitStatus.FAILED);
        assertThat(said())
                .containsOnlyOnce("Cursor, " + file)
                .contains("✗ Cursor, " + file + ": later changes undone, but not the first: it has changed since init")
                .contains("Restart these clients: Cursor.");
        assertThat(file).hasContent(changed);
        assertThat(init("--undo", "--force")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(home.servers(ClientFile.CURSOR)).containsExactly("docs");
    }

    @Test
    void two_moves_are_undone_at_once() {
        Path file = home.write(ClientFile.CURSOR, "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}");
        Map<String, String> before = home.everything();
        init("--yes");
        home.write(ClientFile.WINDSURF, "");
        init("--client", "windsurf", "--yes");
        assertThat(file).content().contains("fusebox");

        assertThat(init("--undo")).as(said()).isEqualTo(ExitStatus.DONE);

        assertThat(home.file(ClientFile.WINDSURF)).hasContent("");
        Disk.delete(home.file(ClientFile.WINDSURF));
        Map<String, String> after = home.everything();
        after.keySet().removeIf(name -> name.startsWith(".codeium"));
        assertThat(after).isEqualTo(before);
        assertThat(config).doesNotExist();
    }
}
