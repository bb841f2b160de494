package dev.fusebox.gateway.observe;

import dev.fusebox.protocol.JsonWriter;
import org.jspecify.annotations.Nullable;

/// The event of a completed tool call. Immutable.
///
/// @param tool its name at the server; null if the server does not list it
/// @param category of the failure; null if the server answered
public record ToolExecuted(
        String server,
        @Nullable String tool,
        long durationMs,
        @Nullable String category) implements Event {
    /// The public event type.
    public static final String TYPE = "mcp.tool.executed";

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public void describe(JsonWriter into) {
        into.name("tool").string(tool).name("durationMs").number(durationMs);
        into.name("success").bool(category == null);
        if (category != null) {
            into.name("category").string(category);
        }
    }
}
