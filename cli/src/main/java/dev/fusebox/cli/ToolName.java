package dev.fusebox.cli;

import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.gateway.catalog.ExposedName;
import dev.fusebox.gateway.catalog.ServerLabel;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The name of a tool: its server and its original name. Immutable.
record ToolName(String server, String own) {
    /// Parses `SERVER/TOOL`.
    ///
    /// @param typed two names with a slash between them
    static ToolName of(String typed) {
        int slash = typed.indexOf('/');
        return new ToolName(typed.substring(0, slash), typed.substring(slash + 1));
    }

    /// Whether it may be an exposed name of a tool among several servers.
    static boolean mayBeExposed(String name) {
        return name.contains("__");
    }

    /// The tool with this exposed name. Blocks for the responses.
    ///
    /// @throws ToolLookup.Missing if there is none
    static ToolName ofShown(String shown, OwnerClient client) throws IOException, ToolLookup.Missing {
        Optional<ToolName> found = find(shown, client);
        if (found.isPresent()) {
            return found.get();
        }
        // The first list lacks servers whose tools are not known yet.
        List<JsonView> tools = client.get("tools?wait=true").list("tools").elements();
        return named(shown, tools).orElseThrow(() -> missing(shown, tools));
    }

    /// The same without waiting for servers that have not listed their tools.
    static Optional<ToolName> find(String shown, OwnerClient client) throws IOException {
        Optional<ToolName> listed =
                named(shown, client.get("tools").list("tools").elements());
        return listed.isPresent() ? listed : split(shown, client);
    }

    /// Splits a regular exposed name, whose errors can then name the server.
    private static Optional<ToolName> split(String shown, OwnerClient client) throws IOException {
        ToolName name = split(shown);
        return name != null
                        && client.get("servers/" + OwnerClient.encoded(name.server()))
                                .isGood()
                ? Optional.of(name)
                : Optional.empty();
    }

    /// `NAME@2__TOOL` is accepted as well, although no client sees it. Null if it cannot be split.
    private static @Nullable ToolName split(String shown) {
        String[] further = shown.split("__", 2);
        if (ServerLabel.of(further[0]).isFurther()) {
            return new ToolName(further[0], further[1]);
        }
        ExposedName parts = ExposedName.split(shown);
        return parts == null ? null : new ToolName(parts.server(), parts.own());
    }

    private static Optional<ToolName> named(String shown, List<JsonView> tools) {
        return tools.stream()
                .filter(tool -> shown.equals(tool.string("shownAs")))
                .map(tool -> new ToolName(String.valueOf(tool.string("server")), String.valueOf(tool.string("tool"))))
                .findFirst();
    }

    private static ToolLookup.Missing missing(String shown, List<JsonView> tools) {
        List<String> names = tools.stream()
                .map(tool -> String.valueOf(tool.string("shownAs")))
                .toList();
        return new ToolLookup.Missing("unknown tool \"" + shown + "\"; "
                + SpellingSuggestion.nearest(shown, names)
                        .map(near -> "did you mean \"" + near + "\"?")
                        .orElse("`" + FuseboxCommand.of("tools") + "` lists all tools"));
    }
}
