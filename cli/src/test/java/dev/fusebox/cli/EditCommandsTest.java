package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands that edit Fusebox's configuration and clients' files.
class EditCommandsTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CommandOutput output =
            new CommandOutput(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
    private Platform platform;
    private Path config;

    @BeforeEach
    void home() {
        platform = Platform.system().withEnvironment(Map.of("HOME", folder.toString()));
        config = folder.resolve("config.json");
    }

    private ExitStatus edit(String command, String... words) {
        List<String> all = Stream.concat(Stream.of("--config", config.toString()), Stream.of(words))
                .toList();
        EditCommands editCommands = new EditCommands(platform);
        return switch (command) {
            case "add" -> editCommands.add(all, output);
            case "remove" -> editCommands.remove(all, output);
            default -> editCommands.turn(command, all, output);
        };
    }

    private ExitStatus init(String... words) {
        return new InitCommand(platform, "/opt/fusebox/fusebox", (file, servers, shown) -> {})
                .run(List.of(words), output);
    }

    /// Without starting what is imported.
    private ImportCommand importCommand() {
        return new ImportCommand(platform, (file, servers, output) -> {});
    }

    private String said() {
        String all = out.toString(UTF_8) + err.toString(UTF_8);
        out.reset();
        err.reset();
        return all;
    }

    // ---- Our file

    @Test
    void server_is_added_disabled_enabled_and_removed_without_other_changes() throws IOException {
        String before = """
                {
                  // all of mine
                  "mcpServers": {
                    "files": { "command": "x", "args": [ "." ], },
                  },
                }
                """;
        Files.writeString(config, before);

        assertThat(edit("add", "notes", "--env", "A=b=c", "npx", "-y", "--config", "memory"))
                .isEqualTo(ExitStatus.DONE);
        assertThat(config)
                .content()
                .startsWith(before.substring(0, before.indexOf(" },\n")))
                .contains("""
                    "notes": {
                      "command": "npx",
                      "args": ["-y", "--config", "memory"],
                      "env": {
                        "A": "b=c"
                      }
                    },
                """);
        assertThat(edit("disable", "notes")).isEqualTo(ExitStatus.DONE);
        assertThat(config).content().contains("\"disabled\": true");
        assertThat(edit("enable", "notes")).isEqualTo(ExitStatus.DONE);
        assertThat(config).content().contains("\"disabled\": false");
        assertThat(edit("remove", "notes")).isEqualTo(ExitStatus.DONE);
        assertThat(config).hasContent(before);
    }

    @Test
    void first_server_creates_file() {
        assertThat(edit("add", "there", "--url", "https://h/mcp", "--header", "Authorization=Bearer ${T}"))
                .isEqualTo(ExitStatus.DONE);

        assertThat(config).content().contains("\"mcpServers\"", "\"url\": \"https://h/mcp\"", "\"Bearer ${T}\"");
    }

    @Test
    void invalid_result_is_not_written() {
        assertThat(edit("add", "there", "--url", "gopher://h")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("/mcpServers/there/url");
        assertThat(edit("add", "there", "--url", "https://h", "command")).isEqualTo(ExitStatus.USAGE);
        assertThat(edit("add", "there")).isEqualTo(ExitStatus.USAGE);
        assertThat(edit("add", "there", "--urll", "x")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("did you mean \"--url\"?");
        assertThat(config).doesNotExist();
    }

    @Test
    void url_and_command_line_are_rejected_as_command() {
        String file = " --config " + config;
        assertThat(edit("add", "web", "http://127.0.0.1:9911/mcp")).isEqualTo(ExitStatus.USAGE);
        assertThat(said())
                .contains("\"http://127.0.0.1:9911/mcp\" is a URL, not a command")
                .contains("`./fusebox add web --url http://127.0.0.1:9911/mcp" + file + "`");
        assertThat(edit("add", "web", "unix:/run/x.sock")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("`./fusebox add web --url unix:/run/x.sock" + file + "`");
        assertThat(edit("add", "name", "--env", "A=1", "npx -y 'a b'", "more")).isEqualTo(ExitStatus.USAGE);
        assertThat(said())
                .contains("is a command line, not a program")
                .contains("`./fusebox add name --env A=1" + file + " npx -y 'a b' more`");
        assertThat(edit("add", "name", "--env", "A_TOKEN=hunter2hunter2", "npx -y pkg"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains(" --env ...").doesNotContain("hunter2");
        assertThat(edit("add", "name", "cd /tmp && npx pkg")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains(" sh -c 'cd /tmp && npx pkg'`");
        assertThat(config).doesNotExist();
    }

    @Test
    void program_path_with_blank_is_added() {
        Path program = folder.resolve("my server");
        Disk.write(program, "#!/bin/sh\n", true);
        assertThat(edit("add", "mine", program.toString())).as(said()).isEqualTo(ExitStatus.DONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fusebox", "FuseBox", "mcp_call", "-"})
    void reserved_name_is_neither_added_nor_imported(String name) throws IOException {
        assertThat(edit("add", name, "there")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("file not changed", "is reserved");
        write(ClientFile.WINDSURF, "{\"mcpServers\":{\"" + name + "\":{\"command\":\"c\"}}}");
        importCommand().run(List.of("--yes", "--from", "windsurf", "--config", config.toString()), output);
        String as = name.equals("-") ? "--windsurf" : name + "-windsurf";
        assertThat(said()).contains(name + ", from Windsurf: imported as " + as);
        assertThat(config).content().contains("\"" + as + "\"");
    }

    @Test
    void unreadable_file_is_not_changed() throws IOException {
        Files.writeString(config, "{\"mcpServers\": {\n oops");

        assertThat(edit("add", "a", "b")).isEqualTo(ExitStatus.USAGE);

        assertThat(said()).contains("is not JSON, in line 2", "file not changed");
        assertThat(config).hasContent("{\"mcpServers\": {\n oops");
    }

    @Test
    void taken_and_missing_names_are_reported() throws IOException {
        Files.writeString(config, "{\"servers\": {\"notes\": {\"command\": \"x\"}}}");

        assertThat(edit("add", "notes", "y")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("already", " --config " + config + "` removes it");
        assertThat(edit("disable", "nots")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("did you mean \"notes\"?");
        assertThat(edit("disable", "notes", "--json")).isEqualTo(ExitStatus.DONE);
        JsonView told = JsonView.of(said().strip());
        assertThat(Objects.requireNonNull(told.member("changed")).isTrue()).isTrue();
        assertThat(config).hasContent("{\"servers\": {\"notes\": {\"command\": \"x\", \"disabled\": true}}}");
    }

    @Test
    void server_is_found_by_derived_id() throws IOException {
        Files.writeString(config, "{\"mcpServers\": {\"My Server\": {\"command\": \"x\"}}}");

        assertThat(edit("disable", "My-Server")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(config).hasContent("{\"mcpServers\": {\"My Server\": {\"command\": \"x\", \"disabled\": true}}}");
        assertThat(edit("enable", "My Server")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(edit("remove", "My-Server")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(config).content().doesNotContain("My");
    }

    @Test
    void no_backup_is_left_in_work_tree() throws IOException {
        Path project = folder.resolve("project");
        Disk.make(project.resolve(".git"));
        config = project.resolve("servers.json");

        for (int number = 1; number <= 7; number++) {
            assertThat(edit("add", "s" + number, "x")).as(said()).isEqualTo(ExitStatus.DONE);
        }
        assertThat(edit("remove", "s1")).isEqualTo(ExitStatus.DONE);

        assertThat(Disk.namesIn(project)).containsExactlyInAnyOrder(".git", "servers.json");
        Path copies = folder.resolve(".fusebox/copies");
        assertThat(Disk.namesIn(copies)).as("five, and .gitignore").hasSize(6);
        try (Stream<Path> files = Files.list(copies)) {
            assertThat(files.map(Disk::read)).anyMatch(text -> text.contains("s7") && text.contains("s1"));
        }
    }

    @Test
    void unchanged_state_is_not_written() throws IOException {
        Files.writeString(config, "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}");

        assertThat(edit("enable", "a")).isEqualTo(ExitStatus.DONE);

        assertThat(said()).contains("nothing was changed");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(config);
        }
    }

    // ---- Clients

    /// A file as clients have them, with something of its own.
    private static String real(ClientFile client) {
        if (client == ClientFile.CODEX) {
            return """
                    model = "o" # mine

                    [mcp_servers.docs]
                    command = "npx"
                    args = ["-y", "docs"]
                    """.replace("\n", "\r\n");
        }
        String member = switch (client) {
            case VS_CODE -> "servers";
            case ZED -> "context_servers";
            case OPENCODE -> "mcp";
            default -> "mcpServers";
        };
        String docs = client == ClientFile.OPENCODE
                ? "{\"type\": \"local\", \"command\": [\"npx\", \"-y\", \"docs\"]}"
                : "{\"command\": \"npx\", \"args\": [\"-y\", \"docs\"]}";
        return "\uFEFF{\r\n\t// mine\r\n\t\"theme\": \"dark\",\r\n\t\"" + member + "\": {\r\n\t\t\"docs\": " + docs
                + ", /* about docs */\r\n\t},\r\n\t\"last\": [1,2],\r\n}\r\n";
    }

    private Path write(ClientFile client, String text) throws IOException {
        Path file = client.file(new ClientFile.UserFolders(folder, Map.of(), isMac()));
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.writeString(file, text);
    }

    private static boolean isMac() {
        return System.getProperty("os.name").startsWith("Mac");
    }

    @ParameterizedTest
    @EnumSource
    void dry_run_changes_nothing_and_yes_adds_fusebox_once(ClientFile client) throws IOException {
        String before = real(client);
        Path file = write(client, before);

        assertThat(init("--client", client.id())).isEqualTo(ExitStatus.DONE);
        assertThat(said())
                .contains(file.toString(), "would add", "/opt/fusebox/fusebox", "docs: would be moved to Fusebox")
                .contains("Dry run: nothing was written. `./fusebox init --client " + client.id()
                        + " --yes` applies the changes");
        assertThat(Files.readString(file)).isEqualTo(before);
        assertThat(folder.resolve(".fusebox")).doesNotExist();

        assertThat(init("--client", client.id(), "--yes")).isEqualTo(ExitStatus.DONE);
        String after = Files.readString(file);
        assertThat(said()).contains("added");
        assertThat(after).contains("/opt/fusebox/fusebox", "serve").doesNotContain("\"docs\"");
        assertThat(before.lines()
                        .filter(line -> !line.contains("docs") && !line.contains("npx"))
                        .filter(line -> !after.contains(line.strip()))
                        .toList())
                .isEmpty();
        assertThat(after.replace("\r\n", "")).doesNotContain("\n");
        assertThat(file.resolveSibling(file.getFileName() + ".before-fusebox-1"))
                .hasContent(before);

        assertThat(init("--client", client.id(), "--yes")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("already uses Fusebox").doesNotContain("nothing was written");
        assertThat(Files.readString(file)).isEqualTo(after);
        assertThat(file.resolveSibling(file.getFileName() + ".before-fusebox-2"))
                .doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    void servers_of_every_client_are_imported_except_fusebox(ClientFile client) throws Exception {
        Path file = write(client, real(client));
        byte[] itself = client.with(
                Files.readAllBytes(file), "fusebox", client.entry("/opt/fusebox/fusebox", List.of("serve")));
        Files.write(file, itself);
        String before = Files.readString(file);

        ExitStatus exitStatus =
                importCommand().run(List.of("--yes", "--from", client.id(), "--config", config.toString()), output);

        assertThat(exitStatus).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(config).content().contains("\"docs\": {", "\"command\": \"npx\"", "\"args\": [\"-y\", \"docs\"]");
        assertThat(config).content().doesNotContain("serve");
        assertThat(Files.readString(file)).isEqualTo(before);
        String once = Files.readString(config);
        importCommand().run(List.of("--yes", "--from", client.id(), "--config", config.toString()), output);
        assertThat(said()).contains("already configured");
        assertThat(config).hasContent(once);
    }

    @Test
    void unreadable_file_does_not_prevent_import_of_others() throws IOException {
        Path unreadable = ClientFile.CURSOR.file(new ClientFile.UserFolders(folder, Map.of(), isMac()));
        Files.createDirectories(unreadable);
        write(ClientFile.WINDSURF, "{\"mcpServers\":{\"docs\":{\"command\":\"c\"}}}");

        ExitStatus exitStatus = importCommand().run(List.of("--yes", "--config", config.toString()), output);

        assertThat(exitStatus).isEqualTo(ExitStatus.FAILED);
        assertThat(said()).contains("✗ " + unreadable + " cannot be read: ");
        assertThat(config).content().contains("\"docs\"");
    }

    @Test
    void import_skips_and_renames_like_init() throws IOException {
        Files.writeString(config, "{\"mcpServers\": {\"files\": {\"command\": \"x\"}}}");
        write(
                ClientFile.CURSOR,
                "{\"mcpServers\":{\"ask\":{\"command\":\"x\",\"env\":{\"T\":\"${input:github_token}\"}},"
                        + "\"files\":{\"command\":\"y\"},\"docs\":{\"command\":\"d\"},\"same\":{\"command\":\"x\"},"
                        + "\"wrong\":{\"url\":\"gopher://h\"}}}");
        List<String> words = List.of("--from", "cursor", "--rename", "docs=library", "--config", config.toString());

        assertThat(importCommand().run(words, output)).isEqualTo(ExitStatus.DONE);

        assertThat(said())
                .contains("ask, from Cursor: not imported: only Cursor can resolve ${input:github_token}")
                .contains("files, from Cursor: would be imported as files-cursor")
                .contains("docs, from Cursor: would be imported as library")
                .contains("same, from Cursor: already configured as files")
                .contains("wrong, from Cursor: not imported: it would be invalid in Fusebox: /mcpServers/wrong/url")
                .contains("import --from cursor --rename docs=library --config " + config
                        + " --yes` applies the changes");
        importCommand()
                .run(Stream.concat(words.stream(), Stream.of("--yes", "--json")).toList(), output);
        assertThat(said())
                .contains("\"server\":\"ask\",\"client\":\"cursor\",\"result\":\"stays\"")
                .contains("\"server\":\"files\",\"client\":\"cursor\",\"result\":\"imported\",\"as\":\"files-cursor\"");
        assertThat(config).content().contains("files-cursor", "library").doesNotContain("input", "gopher", "same");
    }

    @Test
    void servers_of_several_clients_can_be_imported_at_once() throws IOException {
        write(ClientFile.KIRO, "{\"mcpServers\":{\"kiro-docs\":{\"command\":\"c\"}}}");
        write(ClientFile.LM_STUDIO, "{\"mcpServers\":{\"lm-docs\":{\"command\":\"d\"}}}");
        write(ClientFile.CURSOR, "{\"mcpServers\":{\"cursor-docs\":{\"command\":\"c\"}}}");

        importCommand()
                .run(List.of("--from", "kiro", "--from", "lmstudio", "--yes", "--config", config.toString()), output);

        assertThat(config).content().contains("kiro-docs", "lm-docs").doesNotContain("cursor-docs");
    }

    @Test
    void invalid_server_names_are_replaced() throws IOException {
        write(
                ClientFile.WINDSURF,
                "{\"mcpServers\":{\"" + "n".repeat(256) + "\":{\"command\":\"a\"},\"\\u0000\":{\"command\":\"b\"},"
                        + "\"docs\":{\"command\":\"c\"}}}");

        importCommand().run(List.of("--yes", "--from", "windsurf", "--config", config.toString()), output);

        assertThat(config)
                .content()
                .contains("docs", "\"server-windsurf\"", "\"server-windsurf-2\"")
                .doesNotContain("nnn", "u0000");
    }

    @Test
    void client_entries_are_translated() throws IOException {
        Map<ClientFile, String> entries = new HashMap<>();
        entries.put(
                ClientFile.WINDSURF, "{\"mcpServers\":{\"w\":{\"serverUrl\":\"https://w/mcp\",\"disabled\":true}}}");
        entries.put(
                ClientFile.GEMINI,
                "{\"mcpServers\":{\"g\":{\"url\":\"https://g/sse\"},\"h\":{\"httpUrl\":\"https://h\"},"
                        + "\"v\":{\"command\":\"c\",\"env\":{\"A\":\"$MY_TOKEN\",\"B\":\"${OTHER}\"}}}}");
        entries.put(
                ClientFile.OPENCODE,
                "{\"mcp\":{\"o\":{\"type\":\"remote\",\"url\":\"https://o\",\"enabled\":false,"
                        + "\"headers\":{\"K\":\"{env:KEY}\"}}}}");
        entries.put(ClientFile.CODEX, """
                [mcp_servers.c]
                url = "https://c"
                bearer_token_env_var = "TOKEN"
                env_http_headers = { X = "Y" }
                """);
        entries.put(
                ClientFile.ZED,
                "{\"context_servers\":{\"z\":{\"command\":{\"path\":\"p\",\"args\":[\"a\"],\"env\":{\"E\":1}}}}}");
        for (Map.Entry<ClientFile, String> each : entries.entrySet()) {
            write(each.getKey(), each.getValue());
        }

        assertThat(importCommand().run(List.of("--yes", "--config", config.toString()), output))
                .isEqualTo(ExitStatus.DONE);

        JsonView servers =
                Objects.requireNonNull(JsonView.of(Files.readString(config)).member("mcpServers"));
        assertThat(plain(servers, "w")).isEqualTo("{\"url\":\"https://w/mcp\",\"disabled\":true}");
        assertThat(plain(servers, "g")).isEqualTo("{\"url\":\"https://g/sse\",\"type\":\"sse\"}");
        assertThat(plain(servers, "h")).isEqualTo("{\"url\":\"https://h\"}");
        assertThat(plain(servers, "v"))
                .isEqualTo("{\"command\":\"c\",\"args\":[],\"env\":{\"A\":\"${MY_TOKEN}\",\"B\":\"${OTHER}\"}}");
        assertThat(plain(servers, "o"))
                .isEqualTo("{\"url\":\"https://o\",\"headers\":{\"K\":\"${KEY}\"},\"disabled\":true}");
        assertThat(plain(servers, "c"))
                .isEqualTo("{\"url\":\"https://c\",\"headers\":{\"X\":\"${Y}\",\"Authorization\":\"Bearer${TOKEN}\"}}");
        assertThat(said()).contains(": v needs variables that are not set: MY_TOKEN, OTHER");
        assertThat(plain(servers, "z")).isEqualTo("{\"command\":\"p\",\"args\":[\"a\"],\"env\":{\"E\":\"1\"}}");
    }

    @Test
    void opencode_2_servers_are_nested_deeper() throws IOException {
        Path file = write(
                ClientFile.OPENCODE,
                "{\"mcp\":{\"servers\":{\"docs\":{\"type\":\"local\",\"command\":[\"npx\",\"docs\"],"
                        + "\"disabled\":true}}}}");
        importCommand().run(List.of("--yes", "--from", "opencode", "--config", config.toString()), output);
        assertThat(init("--client", "opencode", "--yes")).isEqualTo(ExitStatus.DONE);
        JsonView deeper =
                Objects.requireNonNull(JsonView.of(Files.readString(file)).path("mcp", "servers", "fusebox"));
        assertThat(deeper.json()).contains("/opt/fusebox/fusebox").doesNotContain("enabled");
        assertThat(config)
                .content()
                .contains("\"docs\": {", "\"disabled\": true")
                .doesNotContain("serve");

        Files.writeString(file, "{\"mcp\":{\"servers\":{\"type\":\"local\",\"command\":[\"npx\",\"list\"]}}}");
        assertThat(init("--client", "opencode", "--yes")).isEqualTo(ExitStatus.DONE);
        assertThat(JsonView.of(Files.readString(file)).path("mcp", "fusebox")).isNotNull();
    }

    private static String plain(JsonView servers, String name) {
        return Objects.requireNonNull(servers.member(name)).json().replaceAll("\\s", "");
    }

    @Test
    void unreadable_client_file_is_skipped() throws IOException {
        Path broken = write(ClientFile.CURSOR, "{\"mcpServers\": [}");
        Path good = write(ClientFile.WINDSURF, "");

        assertThat(init("--yes", "--json")).isEqualTo(ExitStatus.FAILED);

        assertThat(said()).contains("\"change\":\"refused\"", "\"change\":\"add\"");
        assertThat(broken).hasContent("{\"mcpServers\": [}");
        assertThat(good).content().contains("fusebox");
        assertThat(folder.resolve(".fusebox/config.json")).content().contains("\"mcpServers\": {}");
    }

    @Test
    void unknown_client_gets_suggestion() {
        assertThat(init("--client", "curser")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("did you mean \"cursor\"?");
    }
}
