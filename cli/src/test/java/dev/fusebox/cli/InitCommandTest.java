package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `init` moves servers of clients to Fusebox, and `init --undo` gives all back.
class InitCommandTest extends InitSteps {
    @Test
    void files_of_fifteen_clients_are_moved_and_restored_byte_for_byte() {
        home.fill();
        Map<String, String> before = home.everything();
        assertThat(ClientFile.values()).hasSize(15);

        assertThat(init()).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(home.everything()).as("a dry run").isEqualTo(before);
        assertThat(home.path().resolve(".fusebox")).doesNotExist();

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);
        String report = said();
        for (ClientFile client : ClientFile.values()) {
            assertThat(home.servers(client)).as(client.id()).containsExactly("fusebox");
            assertThat(report).contains(client.label() + ", " + home.file(client) + ": added Fusebox");
        }
        assertThat(names())
                .contains("docs")
                .containsAll(Stream.of(ClientFile.values())
                        .map(client -> "own-" + client.id())
                        .toList())
                .hasSize(16);
        assertThat(report).contains("Restart these clients: Claude Code, Claude Desktop, Cursor, VS Code, Windsurf");
        Map<String, String> once = home.everything();
        String configured = Disk.read(config);

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("already uses Fusebox").doesNotContain("Restart");
        assertThat(home.everything()).as("a second time").isEqualTo(once);
        assertThat(config).hasContent(configured);

        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains(": restored", "config.json: deleted", "Restart these clients: ");
        assertThat(home.everything()).as("given back").isEqualTo(before);
        assertThat(config).doesNotExist();

        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("There is nothing to undo.");
        assertThat(home.everything()).isEqualTo(before);
    }

    @Test
    void own_configuration_is_restored() {
        String mine =
                "{ // mine\n\t\"mcpServers\": { \"docs\": {\"command\": \"npx\", \"args\": [\"-y\", \"docs\"]}, },\n}";
        Disk.write(config, mine, false);
        home.fill();

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("docs: removed, already in Fusebox");
        assertThat(config).content().startsWith("{ // mine").contains("own-");
        assertThat(init("--undo")).as(said()).isEqualTo(ExitStatus.DONE);

        assertThat(Disk.read(config)).isEqualTo(mine);
        assertThat(Disk.namesIn(config.resolveSibling(""))).containsExactly("config.json");
    }

    @Test
    void only_named_clients_are_changed() {
        home.fill();
        Map<String, String> before = home.everything();

        assertThat(init("--client", "kiro", "--client", "lmstudio", "--client", "kiro", "--yes"))
                .isEqualTo(ExitStatus.DONE);

        assertThat(said()).contains("Restart these clients: Kiro, LM Studio.");
        assertThat(home.servers(ClientFile.KIRO)).containsExactly("fusebox");
        assertThat(home.servers(ClientFile.LM_STUDIO)).containsExactly("fusebox");
        assertThat(home.servers(ClientFile.CURSOR)).doesNotContain("fusebox");
        assertThat(init("--undo", "--client", "lmstudio", "--client", "kiro")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("Kiro, ", "LM Studio, ");
        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);
        assertThat(home.everything()).isEqualTo(before);
        assertThat(init("--client", "kiro", "--client", "lmstudo")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("unknown client \"lmstudo\"; did you mean \"lmstudio\"?");
    }

    @Test
    void identical_servers_are_merged_and_name_conflicts_renamed() {
        home.write(
                ClientFile.CURSOR,
                "{\"mcpServers\":{\"docs\":{\"command\":\"npx\",\"args\":[\"docs\"],"
                        + "\"env\":{\"A\":\"1\",\"B\":\"2\"}}}}");
        home.write(
                ClientFile.WINDSURF,
                "{\"mcpServers\":{\"papers\":{\"env\":{\"B\":\"2\",\"A\":\"1\"},"
                        + "\"command\":\"npx\",\"args\":[\"docs\"]},"
                        + "\"Docs\":{\"command\":\"other\"}}}");
        home.write(ClientFile.KIRO, "{\"mcpServers\":{\"fusebox\":{\"command\":\"not-us\"}}}");

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);

        assertThat(said())
                .contains("papers: removed, already in Fusebox as docs")
                .contains("Docs: moved to Fusebox as Docs-windsurf")
                .contains("fusebox: moved to Fusebox as fusebox-kiro");
        assertThat(names()).containsExactly("docs", "Docs-windsurf", "fusebox-kiro");
        assertThat(listed).containsExactlyInAnyOrder("docs", "Docs-windsurf", "fusebox-kiro");
        assertThat(home.servers(ClientFile.KIRO)).containsExactly("fusebox");
    }

    @Test
    void rename_option_renames_server() {
        home.write(ClientFile.CURSOR, "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}");

        assertThat(init("--yes", "--rename", "docs=library")).isEqualTo(ExitStatus.DONE);

        assertThat(names()).containsExactly("library");
        assertThat(said()).contains("docs: moved to Fusebox as library");
        assertThat(init("--rename", "docs")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("--rename needs NAME=NEW");
    }

    @Test
    void duplicate_package_is_reported() {
        home.write(
                ClientFile.CURSOR,
                "{\"mcpServers\":{\"git\":{\"command\":\"npx\",\"args\":[\"-y\",\"@a/git@1.2.3\",\"/x\"]},"
                        + "\"repo\":{\"command\":\"/usr/bin/npx\",\"args\":[\"@a/git\",\"/x\"]},"
                        + "\"other\":{\"command\":\"npx\",\"args\":[\"@a/git\",\"/other\"]},"
                        + "\"account\":{\"command\":\"npx\",\"args\":[\"@a/git\",\"/x\"],\"env\":{\"USER\":\"x\"}},"
                        + "\"py\":{\"command\":\"uvx\",\"args\":[\"--from\",\"git-tools==2\",\"serve-git\"]},"
                        + "\"box\":{\"command\":\"docker\",\"args\":"
                        + "[\"run\",\"-i\",\"--rm\",\"-e\",\"T\",\"ghcr.io/a/git:1\"]},"
                        + "\"crate\":{\"command\":\"podman\",\"args\":[\"run\",\"ghcr.io/a/git\"]}}}");

        assertThat(init()).isEqualTo(ExitStatus.DONE);
        assertThat(said())
                .contains("@a/git is configured under several names: git, repo\n")
                .doesNotContain("fusebox remove");

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);
        assertThat(said())
                .contains("@a/git is configured under several names: git, repo; `./fusebox remove repo`")
                .contains("ghcr.io/a/git is configured under several names: box, crate")
                .doesNotContain("git-tools is configured");
    }

    @Test
    void remove_command_for_duplicate_names_config_file() {
        home.write(
                ClientFile.CURSOR,
                "{\"mcpServers\":{\"git\":{\"command\":\"npx\",\"args\":[\"@a/git\",\"/x\"]},"
                        + "\"repo\":{\"command\":\"npx\",\"args\":[\"@a/git@1\",\"/x\"]}}}");
        String file = home.path().resolve("other.json").toString();

        assertThat(init("--config", file, "--yes")).isEqualTo(ExitStatus.DONE);

        assertThat(said()).contains("`./fusebox remove repo --config " + file + "` removes one");
    }

    @Test
    void dry_run_prints_command_once_and_warnings_with_client() {
        home.fill();
        Path file = home.write(
                ClientFile.CURSOR,
                "{\"mcpServers\":{\"slack\":{\"command\":\"x\",\"env\":{\"T\":\"${NOT_SET_ANYWHERE}\"}}}}");

        assertThat(init()).isEqualTo(ExitStatus.DONE);

        String report = said();
        assertThat(report.lines().filter(line -> line.contains("serve --config")))
                .containsExactly("Clients start Fusebox with: " + LAUNCHER + " serve --config " + config);
        assertThat(report)
                .contains("fusebox: Cursor, " + file + ": slack needs variables that are not set: NOT_SET_ANYWHERE")
                .contains(" --yes` applies the changes and keeps a backup.")
                .doesNotContain("/mcpServers/slack");
    }

    @Test
    void no_backup_is_announced_without_original() {
        assertThat(init("--client", "kiro")).isEqualTo(ExitStatus.DONE);
        assertThat(said())
                .contains("Dry run: nothing was written. `./fusebox init --client kiro --yes` applies the changes.\n");
    }

    @Test
    void servers_are_moved_from_file_with_fusebox() {
        home.write(ClientFile.CURSOR, "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}");
        init("--yes");
        Path file = home.file(ClientFile.CURSOR);
        Disk.write(
                file,
                Disk.read(file).replace("\"mcpServers\":{", "\"mcpServers\":{\"extra\":{\"command\":\"e\"},"),
                false);
        said();

        assertThat(init()).isEqualTo(ExitStatus.DONE);
        assertThat(said())
                .contains("Cursor, " + file + ": would move servers to Fusebox\n", "extra: would be moved to Fusebox");
        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("Cursor, " + file + ": moved servers to Fusebox", "extra: moved to Fusebox");
    }

    @Test
    void client_only_input_is_not_moved_and_reported() {
        String ask = "{\"command\":\"x\",\"env\":{\"T\":\"${input:token}\"}}";
        home.write(
                ClientFile.VS_CODE,
                "{\"inputs\":[],\"servers\":{\"ask\":" + ask + ",\"here\":{\"command\":\"y\",\"args\":"
                        + "[\"${workspaceFolder}/z\"]},\"file\":{\"command\":\"c\",\"envFile\":\".env\"},"
                        + "\"odd\":{\"type\":\"stdio\"},\"wrong\":{\"url\":\"gopher://h\"},"
                        + "\"good\":{\"command\":\"z\"}}}");

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);

        assertThat(said())
                .contains("ask: not moved: only VS Code can resolve ${input:token}")
                .contains("here: not moved: only VS Code can resolve ${workspaceFolder}")
                .contains("file: not moved: only VS Code can resolve envFile")
                .contains("odd: not moved: it has neither a command nor a URL")
                .contains("wrong: not moved: it would be invalid in Fusebox: /mcpServers/wrong/url")
                .contains("good: moved to Fusebox");
        assertThat(names()).containsExactly("good");
        assertThat(home.servers(ClientFile.VS_CODE)).containsExactly("ask", "here", "file", "odd", "wrong", "fusebox");
    }

    @Test
    void fusebox_is_never_moved_to_itself() throws IOException {
        Path checkout = Files.createDirectories(folder.resolve("checkout")).resolve("fusebox");
        Disk.write(checkout, "#!/bin/sh\n", true);
        Path link = folder.resolve("gateway");
        Files.createSymbolicLink(link, checkout);
        Path script = folder.resolve("start.sh");
        Disk.write(script, "#!/bin/sh\n# the gateway\nexec " + link + " serve \"$@\"\n", true);
        home.write(
                ClientFile.CURSOR,
                "{\"mcpServers\":{\"script\":{\"command\":\"" + script + "\"},\"bridge\":{\"command\":\"npx\",\"args\":"
                        + "[\"-y\",\"mcp-remote\",\"http://127.0.0.1:7332/mcp\"]},\"tools\":{\"command\":\"" + link
                        + "\",\"args\":[\"serve\"]},"
                        + "\"shell\":{\"command\":\"bash\",\"args\":[\"-lc\",\"exec " + link + " serve\"]},"
                        + "\"web\":{\"url\":\"http://localhost:7332/mcp\"},"
                        + "\"else\":{\"command\":\"fusebox\",\"args\":[\"serve\",\"--config\",\"/other.json\"]},"
                        + "\"real\":{\"command\":\"r\"}}}");

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);

        assertThat(said())
                .contains("tools: removed: it is Fusebox itself")
                .contains("shell: removed: it is Fusebox itself")
                .contains("web: removed: it is Fusebox itself")
                .contains("bridge: removed: it is Fusebox itself")
                .contains("script: not moved: its script starts Fusebox; remove it by hand")
                .contains("else: not moved: it is Fusebox with another configuration: /other.json");
        assertThat(names()).containsExactly("real");
        assertThat(home.servers(ClientFile.CURSOR)).containsExactly("script", "else", "fusebox");
    }

    @Test
    void unsupported_clients_are_reported_with_instructions() {
        Disk.write(home.userFolders().configured().resolve("goose/config.yaml"), "extensions:\n", false);
        Disk.write(home.path().resolve(".continue/config.yaml"), "name: x\n", false);
        Disk.make(home.userFolders().application().resolve("JetBrains"));
        home.write(
                ClientFile.CLAUDE_CODE,
                "{\"mcpServers\":{},\"projects\":{\"/p\":{\"mcpServers\":{\"db\":{\"command\":\"x\"}}},\"/q\":{}}}");
        Map<String, String> before = home.everything();

        assertThat(init()).isEqualTo(ExitStatus.DONE);

        assertThat(said())
                .contains(
                        "Goose, ",
                        "is YAML and is not supported; add a server that runs " + LAUNCHER + " serve --config")
                .contains("Continue, ", "JetBrains AI Assistant, ")
                .contains("has servers of the project /p only, which are not moved: db");
        assertThat(home.everything()).isEqualTo(before);
    }

    @Test
    void lost_approvals_are_reported() {
        home.write(
                ClientFile.ROO,
                "{\"mcpServers\":{\"a\":{\"command\":\"a\",\"alwaysAllow\":[\"x\"]},"
                        + "\"b\":{\"command\":\"b\",\"alwaysAllow\":[]}}}");
        home.write(ClientFile.KIRO, "{\"mcpServers\":{\"k\":{\"command\":\"k\",\"autoApprove\":[\"x\"]}}}");
        home.write(ClientFile.GEMINI, "{\"mcpServers\":{\"g\":{\"command\":\"g\",\"trust\":true}}}");

        assertThat(init()).isEqualTo(ExitStatus.DONE);

        String own = " has a single approval for all tools of Fusebox";
        assertThat(said())
                .contains("a: would be moved to Fusebox; alwaysAllow cannot be moved: Roo Code" + own)
                .contains("b: would be moved to Fusebox\n")
                .contains("k: would be moved to Fusebox; autoApprove cannot be moved: Kiro" + own)
                .contains("g: would be moved to Fusebox; trust cannot be moved: Gemini CLI" + own);
    }

    @Test
    void link_is_kept_and_shared_file_is_moved_once() throws IOException {
        Path shared = folder.resolve("shared.json");
        Disk.write(shared, "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}", false);
        for (ClientFile client : List.of(ClientFile.CURSOR, ClientFile.WINDSURF)) {
            Disk.make(home.file(client).resolveSibling(""));
            Files.createSymbolicLink(home.file(client), shared);
        }
        Map<String, String> before = home.everything();

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);

        assertThat(said()).contains("Windsurf, ", "is a link to " + shared.toRealPath() + ", which is already listed");
        assertThat(home.servers(ClientFile.WINDSURF)).containsExactly("fusebox");
        assertThat(init("--undo")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(home.everything()).isEqualTo(before);
    }

    @Test
    void work_tree_file_gets_variables_and_no_backup() {
        Disk.make(home.path().resolve(".git"));
        String token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
        Path file = home.write(
                ClientFile.CURSOR,
                "{\"mcpServers\":{\"git\":{\"command\":\"x\",\"env\":{\"GITHUB_TOKEN\":\"" + token + "\"}}}}");
        Map<String, String> before = home.everything();

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);

        assertThat(said()).contains("looks like a secret and is replaced by ${").contains("export ");
        assertThat(config).content().doesNotContain(token);
        assertThat(Disk.namesIn(file.resolveSibling(""))).containsExactly("mcp.json");
        assertThat(home.path().resolve(".fusebox/init/.gitignore")).hasContent("*");
        assertThat(init("--undo")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(home.everything()).isEqualTo(before);
    }

    @Test
    void json_report_has_result_of_each_server() {
        home.write(
                ClientFile.CURSOR,
                "{\"mcpServers\":{\"docs\":{\"command\":\"x\"},\"ask\":{\"command\":\"${input:a}\"}}}");

        assertThat(init("--yes", "--json")).isEqualTo(ExitStatus.DONE);

        JsonView report = JsonView.of(said().lines().findFirst().orElseThrow());
        JsonView client =
                Objects.requireNonNull(report.member("clients")).elements().getFirst();
        assertThat(plain(client, "servers"))
                .contains("{\"server\":\"docs\",\"result\":\"taken\",\"as\":\"docs\"")
                .contains("{\"server\":\"ask\",\"result\":\"stays\",\"as\":null");
        assertThat(plain(report, "restart")).isEqualTo("[\"cursor\"]");
        assertThat(init("--undo", "--json")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("\"client\":\"cursor\"", "\"result\":\"restored\"", "\"result\":\"deleted\"");
    }

    @Test
    void meaningless_options_are_rejected() {
        assertThat(init("--force")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("--force requires --undo");
        assertThat(init("cursor")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("did you mean --client cursor?");
    }
}
