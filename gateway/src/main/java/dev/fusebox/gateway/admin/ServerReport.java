package dev.fusebox.gateway.admin;

import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How one server is, as it is told outside. Immutable.
///
/// @param status one word: `online`, `idle`, `offline`, ...
/// @param statusMessage the same for people
/// @param states of its parts, such as process and connection, by name; those that are not known are left out
/// @param lastError what went wrong last; null if nothing is wrong
/// @param tools that it offers, as far as that is known
/// @param load of its lane; null if it has none
public record ServerReport(
        String name,
        String status,
        String statusMessage,
        List<PartState> states,
        @Nullable Trouble lastError,
        List<Tool> tools,
        @Nullable Load load) {

    public ServerReport {
        states = List.copyOf(states);
        tools = List.copyOf(tools);
    }

    /// The state of one part of a server: `process`, `running`. Immutable.
    public record PartState(String part, String state) {}

    /// What went wrong. Immutable.
    ///
    /// @param id of what is wrong, which has a page in docs/errors
    public record Trouble(String code, String message, String id) {}

    /// A tool under its server's name and under the one that clients see. Immutable.
    public record Tool(String name, String shownAs, String description) {
        void write(JsonWriter json) {
            json.beginObject().name("name").string(name).name("shownAs").string(shownAs);
            json.name("description").string(description).endObject();
        }
    }

    /// Calls on their way, and those that wait for their turn. Immutable.
    public record Load(int inFlight, int waiting) {}

    /// @param breaker of the server, as JSON; null if there is none
    void write(JsonWriter json, @Nullable String breaker, boolean withTools) {
        json.beginObject().name("name").string(name);
        json.name("status").string(status).name("statusMessage").string(statusMessage);
        states.forEach(each -> json.name(each.part()).string(each.state()));
        json.name("toolCount").number(tools.size());
        if (load != null) {
            json.name("inFlight").number(load.inFlight()).name("waiting").number(load.waiting());
        }
        if (lastError != null) {
            json.name("lastError").beginObject().name("code").string(lastError.code());
            json.name("message").string(lastError.message()).name("id").string(lastError.id());
            json.endObject();
        }
        if (breaker != null) {
            json.name("breaker").raw(breaker);
        }
        if (withTools) {
            json.name("tools").beginArray();
            tools.forEach(tool -> tool.write(json));
            json.endArray();
        }
        json.endObject();
    }
}
