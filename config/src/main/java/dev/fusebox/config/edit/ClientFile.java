package dev.fusebox.config.edit;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The files in which clients keep their servers: where they are, and what they look like. As their makers
/// describe them in November 2026.
public enum ClientFile {
    CLAUDE_CODE("claude-code", "Claude Code", "mcpServers"),
    CLAUDE_DESKTOP("claude-desktop", "Claude Desktop", "mcpServers"),
    CURSOR("cursor", "Cursor", "mcpServers"),
    VS_CODE("vscode", "VS Code", "servers"),
    WINDSURF("windsurf", "Windsurf", "mcpServers"),
    ZED("zed", "Zed", "context_servers"),
    GEMINI("gemini", "Gemini CLI", "mcpServers"),
    CODEX("codex", "Codex", "mcp_servers"),
    COPILOT("copilot", "Copilot CLI", "mcpServers"),
    OPENCODE("opencode", "OpenCode", "mcp"),
    CLINE("cline", "Cline", "mcpServers"),
    ROO("roo", "Roo Code", "mcpServers"),
    KIRO("kiro", "Kiro", "mcpServers"),
    LM_STUDIO("lmstudio", "LM Studio", "mcpServers"),
    JUNIE("junie", "JetBrains Junie", "mcpServers");

    /// Editors of the family of VS Code, in which extensions keep files of their own.
    private static final List<String> EDITORS = List.of("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf");

    private final String id;
    private final String label;
    private final String member;

    ClientFile(String id, String label, String member) {
        this.id = id;
        this.label = label;
        this.member = member;
    }

    /// Where a user keeps files. Immutable.
    ///
    /// @param home of the user
    /// @param environment that moves some of them
    /// @param isMac whether applications keep theirs in `SearchIndex`
    public record UserFolders(Path home, Map<String, String> environment, boolean isMac) {
        /// Where programs keep what their users have set.
        public Path configured() {
            return named("XDG_CONFIG_HOME").orElse(home.resolve(".config"));
        }

        /// Of an extension, in each editor that it may run in.
        private Stream<Path> extension(String file) {
            return EDITORS.stream()
                    .map(editor -> application()
                            .resolve(editor)
                            .resolve("User/globalStorage")
                            .resolve(file));
        }

        /// Where applications with windows keep it.
        public Path application() {
            return isMac ? home.resolve("Library/Application Support") : configured();
        }

        private Optional<Path> named(String variable) {
            return Optional.ofNullable(environment.get(variable))
                    .filter(value -> !value.isEmpty())
                    .map(Path::of);
        }
    }

    /// What people call it on the command line.
    public String id() {
        return id;
    }

    public String label() {
        return label;
    }

    /// The file that is there, or the one that would be.
    public Path file(UserFolders userFolders) {
        return present(userFolders).getFirst();
    }

    /// All files that are there, or the one that would be.
    public List<Path> present(UserFolders userFolders) {
        List<Path> files = files(userFolders);
        List<Path> present = files.stream().filter(Files::exists).toList();
        return present.isEmpty() ? List.of(likeliest(files)) : present;
    }

    private static Path likeliest(List<Path> files) {
        return files.stream().filter(ClientFile::hasFolder).findFirst().orElse(files.getFirst());
    }

    private static boolean hasFolder(Path file) {
        return Files.isDirectory(file.resolveSibling(""));
    }

    /// The file of a project in a folder, as the client calls it; empty if it reads none.
    public Optional<Path> ofProject(Path folder) {
        String name = switch (this) {
            case CLAUDE_CODE -> ".mcp.json";
            case CURSOR -> ".cursor/mcp.json";
            case VS_CODE -> ".vscode/mcp.json";
            case ZED -> ".zed/settings.json";
            case GEMINI -> ".gemini/settings.json";
            case CODEX -> ".codex/config.toml";
            case OPENCODE -> "opencode.json";
            case ROO -> ".roo/mcp.json";
            case KIRO -> ".kiro/settings/mcp.json";
            case JUNIE -> ".junie/mcp/mcp.json";
            case CLAUDE_DESKTOP, WINDSURF, COPILOT, CLINE, LM_STUDIO -> "";
        };
        return name.isEmpty() ? Optional.empty() : Optional.of(folder.resolve(name));
    }

    private List<Path> files(UserFolders userFolders) {
        Path home = userFolders.home();
        return switch (this) {
            case CLAUDE_CODE ->
                List.of(userFolders.named("CLAUDE_CONFIG_DIR").orElse(home).resolve(".claude.json"));
            case CLAUDE_DESKTOP -> List.of(userFolders.application().resolve("Claude/claude_desktop_config.json"));
            case CURSOR -> List.of(home.resolve(".cursor/mcp.json"));
            case VS_CODE ->
                List.of(
                        userFolders.application().resolve("Code/User/mcp.json"),
                        userFolders.application().resolve("Code - Insiders/User/mcp.json"));
            case WINDSURF -> List.of(home.resolve(".codeium/windsurf/mcp_config.json"));
            case ZED -> List.of(userFolders.configured().resolve("zed/settings.json"));
            case GEMINI -> List.of(home.resolve(".gemini/settings.json"));
            case CODEX ->
                List.of(userFolders
                        .named("CODEX_HOME")
                        .orElse(home.resolve(".codex"))
                        .resolve("config.toml"));
            case COPILOT ->
                List.of(userFolders
                        .named("COPILOT_HOME")
                        .orElse(home.resolve(".copilot"))
                        .resolve("mcp-config.json"));
            case OPENCODE ->
                Stream.of("opencode.json", "opencode.jsonc")
                        .map(userFolders.configured().resolve("opencode")::resolve)
                        .toList();
            case CLINE ->
                Stream.concat(
                                userFolders.extension("saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
                                Stream.of(home.resolve(".cline/data/settings/cline_mcp_settings.json")))
                        .toList();
            case ROO ->
                userFolders
                        .extension("rooveterinaryinc.roo-cline/settings/mcp_settings.json")
                        .toList();
            case KIRO -> List.of(home.resolve(".kiro/settings/mcp.json"));
            case LM_STUDIO -> List.of(home.resolve(".lmstudio/mcp.json"));
            case JUNIE -> List.of(home.resolve(".junie/mcp/mcp.json"));
        };
    }

    /// Whether the client has been here: its file is there, or the folder that is its alone.
    public boolean isHere(UserFolders userFolders) {
        Path file = file(userFolders);
        return Files.exists(file)
                || (this != CLAUDE_CODE && hasFolder(file))
                || (this == CLAUDE_CODE && Files.isDirectory(userFolders.home().resolve(".claude")));
    }

    // ---- Its text

    /// The servers in it by their names, as the client writes them.
    ///
    /// @throws Unreadable if it is not what it should be
    public Map<String, JsonView> servers(byte[] text) throws Unreadable {
        if (this == CODEX) {
            return TomlEditor.parse(text).tables(member);
        }
        Map<String, JsonView> servers = new LinkedHashMap<>();
        JsonEditor json = JsonEditor.parse(text);
        JsonView found = json.at(path(json));
        if (found != null) {
            found.forEachMember(servers::put);
        }
        return servers;
    }

    /// The same text with this server in it; the same bytes if it is there already.
    ///
    /// @throws Unreadable if it is not what it should be
    public byte[] with(byte[] text, String name, String entry) throws Unreadable {
        if (this == CODEX) {
            return TomlEditor.parse(text).with(member, name, entry).bytes();
        }
        JsonEditor json = JsonEditor.parse(text);
        return json.with(path(json), name, entry).bytes();
    }

    /// The same text without this server; the same bytes if it is not there.
    ///
    /// @throws Unreadable if it is not what it should be
    public byte[] without(byte[] text, String name) throws Unreadable {
        if (this == CODEX) {
            return TomlEditor.parse(text).without(member, name).bytes();
        }
        JsonEditor json = JsonEditor.parse(text);
        return json.without(path(json), name).bytes();
    }

    /// The same text with a server as another text has it.
    ///
    /// @param from another text of this client, which has the server
    /// @throws Unreadable if one of the two is not what it should be
    public byte[] withOf(byte[] from, byte[] text, String name) throws Unreadable {
        if (this == CODEX) {
            return TomlEditor.parse(text)
                    .withOf(TomlEditor.parse(from), member, name)
                    .bytes();
        }
        JsonView entry = servers(from).get(name);
        return entry == null ? text : with(text, name, entry.json());
    }

    /// OpenCode 2 has its servers one level deeper, and reads files of OpenCode 1 as well. It tells which of the
    /// two a file is by what stands under `servers`, which may be the name of a server, too.
    private List<String> path(JsonEditor text) {
        JsonView deeper = text.at(List.of(member, "servers"));
        boolean isDeeper = this == OPENCODE && deeper != null && isMap(deeper);
        return isDeeper ? List.of(member, "servers") : List.of(member);
    }

    private static boolean isMap(JsonView value) {
        boolean[] isMap = {value.isObject()};
        value.forEachMember((name, server) -> isMap[0] &= server.isObject());
        return isMap[0];
    }

    /// A program as an entry of it, as JSON.
    public String entry(String command, List<String> args) {
        JsonWriter entry = new JsonWriter().beginObject();
        switch (this) {
            case CLAUDE_CODE, VS_CODE -> entry.name("type").string("stdio");
            case COPILOT, OPENCODE -> entry.name("type").string("local");
            case CLAUDE_DESKTOP, CURSOR, WINDSURF, ZED, GEMINI, CODEX, CLINE, ROO, KIRO, LM_STUDIO, JUNIE -> {}
        }
        if (this == OPENCODE) {
            list(entry.name("command"), Stream.concat(Stream.of(command), args.stream()));
            return entry.endObject().toString();
        }
        list(entry.name("command").string(command).name("args"), args.stream());
        if (this == COPILOT) {
            list(entry.name("tools"), Stream.of("*"));
        }
        return entry.endObject().toString();
    }

    /// A gateway over HTTP as an entry of it, as JSON; null if the client reads no addresses from its file.
    ///
    /// @param token for the header `Authorization`
    public @Nullable String addressEntry(String url, String token) {
        JsonWriter entry = new JsonWriter().beginObject();
        switch (this) {
            case CLAUDE_DESKTOP -> {
                // It has a list of connectors in its own settings, for addresses that its maker can reach.
                return null;
            }
            case CLAUDE_CODE, VS_CODE, COPILOT ->
                entry.name("type").string("http").name("url").string(url);
            case OPENCODE -> entry.name("type").string("remote").name("url").string(url);
            case CLINE ->
                entry.name("type").string("streamableHttp").name("url").string(url);
            case ROO -> entry.name("type").string("streamable-http").name("url").string(url);
            case WINDSURF -> entry.name("serverUrl").string(url);
            case GEMINI -> entry.name("httpUrl").string(url);
            case CURSOR, ZED, CODEX, KIRO, LM_STUDIO, JUNIE -> entry.name("url").string(url);
        }
        entry.name(this == CODEX ? "http_headers" : "headers").beginObject();
        entry.name("Authorization").string("Bearer " + token).endObject();
        if (this == COPILOT) {
            list(entry.name("tools"), Stream.of("*"));
        }
        return entry.endObject().toString();
    }

    private static void list(JsonWriter into, Stream<String> texts) {
        into.beginArray();
        texts.forEach(into::string);
        into.endArray();
    }
}
