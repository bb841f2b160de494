package dev.fusebox.cli;

import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Finds a tool of a server in a gateway. A server whose tools are not known is connected to once. For one thread;
/// blocks until the answers have come.
record ToolLookup(OwnerClient client, String server, String tool) {
    /// There is no such tool, or no such server; the message says what there is.
    static final class Missing extends Exception {
        private static final long serialVersionUID = 1;

        Missing(String message) {
            super(message);
        }
    }

    /// The tool, with the definition that its server gave.
    JsonView inFull() throws IOException, Missing {
        String path = path() + "/tools/" + OwnerClient.encoded(tool);
        // The server is asked first: whether it is known at all, and whether it has to be connected to.
        row();
        return good(client.get(path));
    }

    /// The name under which clients see the tool.
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

    /// @param names of the tools that the server has
    static Missing missing(String server, String tool, List<String> names) {
        return new Missing(server + " has no tool \"" + tool + "\""
                + SpellingSuggestion.nearest(tool, names)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse("; it lists " + (names.isEmpty() ? "no tools" : String.join(", ", names))));
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
