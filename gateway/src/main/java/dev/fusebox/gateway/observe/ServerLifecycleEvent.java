package dev.fusebox.gateway.observe;

import dev.fusebox.gateway.life.LifeEvent;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something in the life of a server. Immutable.
public record ServerLifecycleEvent(String server, LifeEvent event) implements Event {
    @Override
    public String type() {
        return switch (event) {
            case LifeEvent.StatusChanged changed -> "mcp.server.status_changed";
            case LifeEvent.Crashed crashed -> "mcp.server.crashed";
            case LifeEvent.Restarted restarted -> "mcp.server.restarted";
            case LifeEvent.StateLost lost -> "mcp.server.state_lost";
            case LifeEvent.GivenUp failed -> "mcp.server.permanently_failed";
            case LifeEvent.Recovered recovered -> "mcp.server.recovered";
            case LifeEvent.ToolsDiscovered discovered -> "mcp.tools.discovered";
            case LifeEvent.ToolsUpdated updated -> "mcp.tools.updated";
        };
    }

    @Override
    public void describe(JsonWriter into) {
        switch (event) {
            case LifeEvent.StatusChanged changed -> {
                into.name("previousStatus").string(changed.previous().toString());
                into.name("status").string(changed.status().toString());
                into.name("statusMessage").string(changed.message());
            }
            case LifeEvent.Crashed crashed -> describe(crashed, into);
            case LifeEvent.Restarted restarted -> {
                number(into, "oldProcessId", restarted.oldProcess());
                number(into, "processId", restarted.process());
                into.name("reason").string(restarted.reason());
                into.name("attempt").number(restarted.attempt());
            }
            case LifeEvent.StateLost(long process, Long next, String reason) -> {
                number(into, "oldProcessId", process);
                number(into, "processId", next);
                into.name("reason").string(reason);
            }
            case LifeEvent.GivenUp failed -> {
                number(into, "processId", failed.process());
                into.name("crashCount").number(failed.count());
                into.name("message").string(failed.message());
            }
            case LifeEvent.Recovered recovered -> {
                into.name("by").string(recovered.by());
                into.name("downMs").number(recovered.down().toMillis());
            }
            case LifeEvent.ToolsDiscovered discovered -> {
                into.name("toolCount").number(discovered.count());
                into.name("tokens").number(discovered.tokens());
            }
            case LifeEvent.ToolsUpdated updated -> {
                names(into, "added", updated.added());
                names(into, "removed", updated.removed());
                names(into, "changed", updated.changed());
            }
        }
    }

    private static void describe(LifeEvent.Crashed crashed, JsonWriter into) {
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
