package dev.fusebox.gateway.edit;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The files in which clients keep their servers: where they are, and what they look like. As their makers describe
/// them in November 2026.
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
    OPENCODE("opencode", "OpenCode", "mcp");

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
    /// @param isMac whether applications keep theirs in `Library`
    public record Place(Path home, Map<String, String> environment, boolean isMac) {
        private Path configured() {
            return named("XDG_CONFIG_HOME").orElse(home.resolve(".config"));
        }

        private Path application() {
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
    public Path file(Place place) {
        List<Path> files = files(place);
        return files.stream().filter(Files::exists).findFirst().orElse(files.getFirst());
    }

    private List<Path> files(Place place) {
        Path home = place.home();
        return switch (this) {
            case CLAUDE_CODE ->
                List.of(place.named("CLAUDE_CONFIG_DIR").orElse(home).resolve(".claude.json"));
            case CLAUDE_DESKTOP -> List.of(place.application().resolve("Claude/claude_desktop_config.json"));
            case CURSOR -> List.of(home.resolve(".cursor/mcp.json"));
            case VS_CODE -> List.of(place.application().resolve("Code/User/mcp.json"));
            case WINDSURF -> List.of(home.resolve(".codeium/windsurf/mcp_config.json"));
            case ZED -> List.of(place.configured().resolve("zed/settings.json"));
            case GEMINI -> List.of(home.resolve(".gemini/settings.json"));
            case CODEX ->
                List.of(place.named("CODEX_HOME").orElse(home.resolve(".codex")).resolve("config.toml"));
            case COPILOT ->
                List.of(place.named("COPILOT_HOME")
                        .orElse(home.resolve(".copilot"))
                        .resolve("mcp-config.json"));
            case OPENCODE ->
                Stream.of("opencode.json", "opencode.jsonc")
                        .map(place.configured().resolve("opencode")::resolve)
                        .toList();
        };
    }

    /// Whether the client has been here: its file is there, or the folder that is its alone.
    public boolean isHere(Place place) {
        Path file = file(place);
        boolean hasFolder = this != CLAUDE_CODE && Files.isDirectory(file.resolveSibling(""));
        return Files.exists(file)
                || hasFolder
                || (this == CLAUDE_CODE && Files.isDirectory(place.home().resolve(".claude")));
    }

    // ---- Its text

    /// The servers in it by their names, as the client writes them.
    ///
    /// @throws Unreadable if it is not what it should be
    public Map<String, JsonView> servers(byte[] text) throws Unreadable {
        if (this == CODEX) {
            return TomlText.parse(text).tables(member);
        }
        Map<String, JsonView> servers = new LinkedHashMap<>();
        JsonText json = JsonText.parse(text);
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
            return TomlText.parse(text).with(member, name, entry).bytes();
        }
        JsonText json = JsonText.parse(text);
        return json.with(path(json), name, entry).bytes();
    }

    /// OpenCode 2 has its servers one level deeper, and reads files of OpenCode 1 as well. It tells which of the two a
    /// file is by what stands under `servers`, which may be the name of a server, too.
    private List<String> path(JsonText text) {
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
            case CLAUDE_DESKTOP, CURSOR, WINDSURF, ZED, GEMINI, CODEX -> {}
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

    private static void list(JsonWriter into, Stream<String> texts) {
        into.beginArray();
        texts.forEach(into::string);
        into.endArray();
    }
}
