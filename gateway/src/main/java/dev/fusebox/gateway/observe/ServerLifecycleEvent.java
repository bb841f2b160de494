package dev.fusebox.gateway.observe;

import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A lifecycle event of a server. Immutable.
public record ServerLifecycleEvent(String server, LifecycleEvent event) implements Event {
    @Override
    public String type() {
        return switch (event) {
            case LifecycleEvent.StatusChanged changed -> "mcp.server.status_changed";
            case LifecycleEvent.Crashed crashed -> "mcp.server.crashed";
            case LifecycleEvent.Restarted restarted -> "mcp.server.restarted";
            case LifecycleEvent.StateLost lost -> "mcp.server.state_lost";
            case LifecycleEvent.GivenUp failed -> "mcp.server.permanently_failed";
            case LifecycleEvent.Recovered recovered -> "mcp.server.recovered";
            case LifecycleEvent.ToolsDiscovered discovered -> "mcp.tools.discovered";
            case LifecycleEvent.ToolsUpdated updated -> "mcp.tools.updated";
        };
    }

    @Override
    public void describe(JsonWriter into) {
        switch (event) {
            case LifecycleEvent.StatusChanged changed -> {
                into.name("previousStatus").string(changed.previous().toString());
                into.name("status").string(changed.status().toString());
                into.name("statusMessage").string(changed.message());
            }
            case LifecycleEvent.Crashed crashed -> describe(crashed, into);
            case LifecycleEvent.Restarted restarted -> {
                number(into, "oldProcessId", restarted.oldProcess());
                number(into, "processId", restarted.process());
                into.name("reason").string(restarted.reason());
                into.name("attempt").number(restarted.attempt());
            }
            case LifecycleEvent.StateLost(long process, Long next, String reason) -> {
                number(into, "oldProcessId", process);
                number(into, "processId", next);
                into.name("reason").string(reason);
            }
            case LifecycleEvent.GivenUp failed -> {
                number(into, "processId", failed.process());
                into.name("crashCount").number(failed.count());
                into.name("message").string(failed.message());
            }
            case LifecycleEvent.Recovered recovered -> {
                into.name("by").string(recovered.by());
                into.name("downMs").number(recovered.down().toMillis());
            }
            case LifecycleEvent.ToolsDiscovered discovered -> {
                into.name("toolCount").number(discovered.count());
                into.name("tokens").number(discovered.tokens());
            }
            case LifecycleEvent.ToolsUpdated updated -> {
                names(into, "added", updated.added());
                names(into, "removed", updated.removed());
                names(into, "changed", updated.changed());
            }
        }
    }

    private static void describe(LifecycleEvent.Crashed crashed, JsonWriter into) {
        number(into, "processId", crashed.process());
        Integer exitCode = crashed.exitCode();
        number(into, "exitCode", exitCode == null ? null : Long.valueOf(exitCode));
        into.name("signal").string(crashed.signal());
        into.name("uptimeMs").number(crashed.lived().toMillis());
        into.name("crashCount").number(crashed.count());
        into.name("willRestart").bool(crashed.willRestart());
    }

    private static void number(JsonWriter into, String name, @Nullable Long value) {
        into.name(name).raw(value == null ? "null" : value.toString());
    }

    private static void names(JsonWriter into, String name, List<String> names) {
        into.name(name).beginArray();
        names.forEach(into::string);
        into.endArray();
    }
}
