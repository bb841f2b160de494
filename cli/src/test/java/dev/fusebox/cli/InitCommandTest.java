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
    void files_of_fifteen_clients_are_moved_and_given_back_byte_for_byte_with_their_rights() {
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
        assertThat(said()).contains("has Fusebox already").doesNotContain("Restart");
        assertThat(home.everything()).as("a second time").isEqualTo(once);
        assertThat(config).hasContent(configured);

        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("is as it was before", "config.json: deleted", "Restart these clients: ");
        assertThat(home.everything()).as("given back").isEqualTo(before);
        assertThat(config).doesNotExist();

        assertThat(init("--undo")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("There is nothing to undo.");
        assertThat(home.everything()).isEqualTo(before);
    }

    @Test
    void our_own_configuration_is_given_back_as_well() {
        String mine =
                "{ // mine\n\t\"mcpServers\": { \"docs\": {\"command\": \"npx\", \"args\": [\"-y\", \"docs\"]}, },\n}";
        Disk.write(config, mine, false);
        home.fill();

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("docs: taken out, as Fusebox has it already");
        assertThat(config).content().startsWith("{ // mine").contains("own-");
        assertThat(init("--undo")).as(said()).isEqualTo(ExitStatus.DONE);

        assertThat(Disk.read(config)).isEqualTo(mine);
        assertThat(Disk.namesIn(config.resolveSibling(""))).containsExactly("config.json");
    }

    @Test
    void several_clients_can_be_named_and_the_others_are_left_alone() {
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
        assertThat(said()).contains("there is no client \"lmstudo\"; did you mean \"lmstudio\"?");
    }

    @Test
    void one_server_under_several_names_is_taken_once_and_another_of_a_taken_name_is_renamed() {
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
                .contains("papers: taken out, as Fusebox has it already, under the name docs")
                .contains("Docs: moved to Fusebox, under the name Docs-windsurf")
                .contains("fusebox: moved to Fusebox, under the name fusebox-kiro");
        assertThat(names()).containsExactly("docs", "Docs-windsurf", "fusebox-kiro");
        assertThat(listed).containsExactlyInAnyOrder("docs", "Docs-windsurf", "fusebox-kiro");
        assertThat(home.servers(ClientFile.KIRO)).containsExactly("fusebox");
    }

    @Test
    void a_server_gets_the_name_that_its_user_wants() {
        home.write(ClientFile.CURSOR, "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}");

        assertThat(init("--yes", "--rename", "docs=library")).isEqualTo(ExitStatus.DONE);

        assertThat(names()).containsExactly("library");
        assertThat(said()).contains("docs: moved to Fusebox, under the name library");
        assertThat(init("--rename", "docs")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("--rename needs NAME=NEW");
    }

    @Test
    void the_same_package_under_several_names_is_told() {
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
    void the_command_that_removes_a_second_name_names_the_file_that_init_was_given() {
        home.write(
                ClientFile.CURSOR,
                "{\"mcpServers\":{\"git\":{\"command\":\"npx\",\"args\":[\"@a/git\",\"/x\"]},"
                        + "\"repo\":{\"command\":\"npx\",\"args\":[\"@a/git@1\",\"/x\"]}}}");
        String file = home.path().resolve("other.json").toString();

        assertThat(init("--config", file, "--yes")).isEqualTo(ExitStatus.DONE);

        assertThat(said()).contains("`./fusebox remove repo --config " + file + "` removes one");
    }

    @Test
    void a_dry_run_says_once_what_clients_start_and_names_the_client_of_a_server_that_waits() {
        home.fill();
        Path file = home.write(
                ClientFile.CURSOR,
                "{\"mcpServers\":{\"slack\":{\"command\":\"x\",\"env\":{\"T\":\"${NOT_SET_ANYWHERE}\"}}}}");

        assertThat(init()).isEqualTo(ExitStatus.DONE);

        String report = said();
        assertThat(report.lines().filter(line -> line.contains("serve --config")))
                .containsExactly("Clients start Fusebox with: " + LAUNCHER + " serve --config " + config);
        assertThat(report)
                .contains("fusebox: Cursor, " + file + ": slack waits for variables that are not set: NOT_SET_ANYWHERE")
                .contains(" --yes` does it, and keeps what was there before.")
                .doesNotContain("/mcpServers/slack");
    }

    @Test
    void nothing_is_said_to_be_kept_where_nothing_was() {
        assertThat(init("--client", "kiro")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("Nothing was written. `./fusebox init --client kiro --yes` does it.\n");
    }

    @Test
    void servers_that_leave_a_file_that_has_fusebox_already_are_moved() {
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
    void what_only_the_client_can_fill_in_stays_with_it_and_is_named() {
        String ask = "{\"command\":\"x\",\"env\":{\"T\":\"${input:token}\"}}";
        home.write(
                ClientFile.VS_CODE,
                "{\"inputs\":[],\"servers\":{\"ask\":" + ask + ",\"here\":{\"command\":\"y\",\"args\":"
                        + "[\"${workspaceFolder}/z\"]},\"file\":{\"command\":\"c\",\"envFile\":\".env\"},"
                        + "\"odd\":{\"type\":\"stdio\"},\"wrong\":{\"url\":\"gopher://h\"},"
                        + "\"good\":{\"command\":\"z\"}}}");

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);

        assertThat(said())
                .contains("ask: stays here: only VS Code can fill in ${input:token}")
                .contains("here: stays here: only VS Code can fill in ${workspaceFolder}")
                .contains("file: stays here: only VS Code can fill in envFile")
                .contains("odd: stays here: it is neither a command nor an address")
                .contains("wrong: stays here: Fusebox could not use it: /mcpServers/wrong/url")
                .contains("good: moved to Fusebox");
        assertThat(names()).containsExactly("good");
        assertThat(home.servers(ClientFile.VS_CODE)).containsExactly("ask", "here", "file", "odd", "wrong", "fusebox");
    }

    @Test
    void fusebox_is_not_moved_to_fusebox_under_whatever_name() throws IOException {
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
                .contains("tools: taken out, as it is Fusebox itself")
                .contains("shell: taken out, as it is Fusebox itself")
                .contains("web: taken out, as it is Fusebox itself")
                .contains("bridge: taken out, as it is Fusebox itself")
                .contains("script: stays here: its script starts Fusebox; take it out by hand")
                .contains("else: stays here: it is Fusebox with another configuration, /other.json");
        assertThat(names()).containsExactly("real");
        assertThat(home.servers(ClientFile.CURSOR)).containsExactly("script", "else", "fusebox");
    }

    @Test
    void clients_that_are_not_read_are_named_with_what_to_do() {
        Disk.write(home.place().configured().resolve("goose/config.yaml"), "extensions:\n", false);
        Disk.write(home.path().resolve(".continue/config.yaml"), "name: x\n", false);
        Disk.make(home.place().application().resolve("JetBrains"));
        home.write(
                ClientFile.CLAUDE_CODE,
                "{\"mcpServers\":{},\"projects\":{\"/p\":{\"mcpServers\":{\"db\":{\"command\":\"x\"}}},\"/q\":{}}}");
        Map<String, String> before = home.everything();

        assertThat(init()).isEqualTo(ExitStatus.DONE);

        assertThat(said())
                .contains("Goose, ", "is YAML and is not read; add a server that runs " + LAUNCHER + " serve --config")
                .contains("Continue, ", "JetBrains AI Assistant, ")
                .contains("has servers for the project /p alone, which stay: db");
        assertThat(home.everything()).isEqualTo(before);
    }

    @Test
    void approvals_that_cannot_be_moved_are_named() {
        home.write(
                ClientFile.ROO,
                "{\"mcpServers\":{\"a\":{\"command\":\"a\",\"alwaysAllow\":[\"x\"]},"
                        + "\"b\":{\"command\":\"b\",\"alwaysAllow\":[]}}}");
        home.write(ClientFile.KIRO, "{\"mcpServers\":{\"k\":{\"command\":\"k\",\"autoApprove\":[\"x\"]}}}");
        home.write(ClientFile.GEMINI, "{\"mcpServers\":{\"g\":{\"command\":\"g\",\"trust\":true}}}");

        assertThat(init()).isEqualTo(ExitStatus.DONE);

        String own = " has one approval for all tools of Fusebox";
        assertThat(said())
                .contains("a: would be moved to Fusebox; alwaysAllow cannot be moved: Roo Code" + own)
                .contains("b: would be moved to Fusebox\n")
                .contains("k: would be moved to Fusebox; autoApprove cannot be moved: Kiro" + own)
                .contains("g: would be moved to Fusebox; trust cannot be moved: Gemini CLI" + own);
    }

    @Test
    void a_link_stays_a_link_and_what_two_clients_share_is_moved_once() throws IOException {
        Path shared = folder.resolve("shared.json");
        Disk.write(shared, "{\"mcpServers\":{\"docs\":{\"command\":\"x\"}}}", false);
        for (ClientFile client : List.of(ClientFile.CURSOR, ClientFile.WINDSURF)) {
            Disk.make(home.file(client).resolveSibling(""));
            Files.createSymbolicLink(home.file(client), shared);
        }
        Map<String, String> before = home.everything();

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);

        assertThat(said())
                .contains("Windsurf, ", "leads to " + shared.toRealPath() + ", which is in this list already");
        assertThat(home.servers(ClientFile.WINDSURF)).containsExactly("fusebox");
        assertThat(init("--undo")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(home.everything()).isEqualTo(before);
    }

    @Test
    void in_a_work_tree_secrets_become_variables_and_no_copy_is_left_beside_the_file() {
        Disk.make(home.path().resolve(".git"));
        String token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
        Path file = home.write(
                ClientFile.CURSOR,
                "{\"mcpServers\":{\"git\":{\"command\":\"x\",\"env\":{\"GITHUB_TOKEN\":\"" + token + "\"}}}}");
        Map<String, String> before = home.everything();

        assertThat(init("--yes")).isEqualTo(ExitStatus.DONE);

        assertThat(said()).contains("looks like a secret and becomes ${").contains("export ");
        assertThat(config).content().doesNotContain(token);
        assertThat(Disk.namesIn(file.resolveSibling(""))).containsExactly("mcp.json");
        assertThat(home.path().resolve(".fusebox/init/.gitignore")).hasContent("*");
        assertThat(init("--undo")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(home.everything()).isEqualTo(before);
    }

    @Test
    void a_report_for_programs_says_what_became_of_each_server() {
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
    void options_that_mean_nothing_are_refused() {
        assertThat(init("--force")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("--force means nothing without --undo");
        assertThat(init("cursor")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("did you mean --client cursor?");
    }
}
