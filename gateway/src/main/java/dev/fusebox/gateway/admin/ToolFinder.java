package dev.fusebox.gateway.admin;

import dev.fusebox.gateway.routing.ToolList;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;

/// The tool search of `mcp_discover`. Thread-safe; blocks as a search does.
@FunctionalInterface
public interface ToolFinder {
    /// Finds nothing.
    ToolFinder NONE = query -> new ToolList.Found(List.of(), false, false);

    ToolList.Found find(String query) throws InterruptedException;

    /// A tool in the form for commands.
    static void write(ToolList.Row row, JsonWriter json) {
        begin(row, json).endObject();
    }

    /// The same with its original definition.
    static void writeInFull(ToolList.Row row, JsonWriter json) {
        begin(row, json).name("definition").raw(row.tool().definition()).endObject();
    }

    private static JsonWriter begin(ToolList.Row row, JsonWriter json) {
        ServerSnapshot.Tool tool = row.tool();
        json.beginObject().name("server").string(row.server());
        json.name("tool").string(tool.own()).name("shownAs").string(tool.shown());
        json.name("description").string(HiddenCharacters.of(tool.description()));
        return json.name("tokens").number(tool.tokens());
    }
}
