package dev.fusebox.cli;

import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// A lookup of a server's tool in a gateway, which connects the server once if its tools are unknown. For one
/// thread; blocks for the responses.
record ToolLookup(OwnerClient client, String server, String tool) {
    /// The tool or server does not exist; the message lists alternatives.
    static final class Missing extends Exception {
        private static final long serialVersionUID = 1;

        Missing(String message) {
            super(message);
        }
    }

    /// The tool with its full definition.
    JsonView inFull() throws IOException, Missing {
        String path = path() + "/tools/" + OwnerClient.encoded(tool);
        // Checks first that the server is known, and connects it if necessary.
        row();
        return good(client.get(path));
    }

    /// The exposed name of the tool.
    String shownAs() throws IOException, Missing {
        return String.valueOf(row().string("shownAs"));
    }

    private JsonView row() throws IOException, Missing {
        JsonView known = good(client.get(path()));
        Optional<JsonView> found = find(known);
        if (found.isEmpty()) {
            good(client.post(path() + "/connect", ""));
            known = good(client.get(path()));
            found = find(known);
        }
        List<String> names = tools(known).stream()
                .map(each -> String.valueOf(each.string("name")))
                .toList();
        return found.orElseThrow(() -> missing(server, tool, names));
    }

    /// @param names of the server's tools
    static Missing missing(String server, String tool, List<String> names) {
        return new Missing(server + " has no tool \"" + tool + "\""
                + SpellingSuggestion.nearest(tool, names)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse(names.isEmpty() ? "; it has no tools" : "; its tools: " + String.join(", ", names)));
    }

    private String path() {
        return "servers/" + OwnerClient.encoded(server);
    }

    private static JsonView good(OwnerClient.Answer answer) throws Missing {
        if (!answer.isGood()) {
            throw new Missing(answer.problem());
        }
        return answer.body();
    }

    private Optional<JsonView> find(JsonView known) {
        return tools(known).stream()
                .filter(each -> tool.equals(each.string("name")))
                .findFirst();
    }

    private static List<JsonView> tools(JsonView known) {
        JsonView tools = known.member("tools");
        return tools == null ? List.of() : tools.elements();
    }
}
