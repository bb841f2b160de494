package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.edit.ClientFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What `init --undo` gives back.
class InitUndoTest extends InitSteps {
    @ParameterizedTest
    @EnumSource
    void a_file_that_was_not_there_goes_again_with_the_folders_that_were_made_for_it(ClientFile client) {
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
    void a_file_that_was_changed_since_is_left_as_it_is_unless_that_is_forced() {
        Path file =
                home.write(ClientFile.CURSOR, "{\n  \"mcpServers\": {\n    \"docs\": { \"command\": \"x\" }\n  }\n}\n");
        home.write(ClientFile.WINDSURF, "{\"mcpServers\":{\"wind\":{\"command\":\"w\"}}}");
        init("--yes");
        String changed = Disk.read(file).replaceFirst("\\{", "{\n  \"mine\": 1,");
        Disk.write(file, changed, false);
        said();

        assertThat(init("--undo")).isEqualTo(ExitStatus.FAILED);
        assertThat(said())
                .contains("Cursor, " + file + ": left as it is: it was changed after init had written it")
                .contains("`./fusebox init --undo --force` takes Fusebox out")
                .contains("Windsurf, ", "is as it was before")
                .contains("Fusebox, " + config + ": left as it is: a client still uses it");
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
    void a_toml_file_that_was_changed_since_gets_its_tables_back_if_that_is_forced() {
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
    void copies_of_what_was_undone_are_removed_and_those_of_other_changes_stay() {
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
    void our_configuration_that_was_changed_since_keeps_its_servers_unless_that_is_forced() {
        home.write(ClientFile.CURSOR, "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}");
        init("--yes");
        new EditCommands(platform).add(List.of("more", "y"), output);
        said();

        assertThat(init("--undo")).isEqualTo(ExitStatus.FAILED);
        assertThat(said()).contains("--force` takes the servers out that init has put in");
        assertThat(names()).containsExactly("docs", "more");
        assertThat(init("--undo", "--force")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("no longer has the servers that init put in");
        assertThat(names()).containsExactly("more");
    }

    @Test
    void what_was_moved_in_two_steps_is_given_back_in_one() {
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
