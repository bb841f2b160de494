package dev.fusebox.gateway.admin;

import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.State;
import dev.fusebox.client.resilience.FailureCounts;
import dev.fusebox.gateway.pool.PoolSnapshot;
import dev.fusebox.gateway.upstream.LaunchDifference;
import dev.fusebox.gateway.upstream.ProcessSharing;
import dev.fusebox.gateway.upstream.SameNameServers;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state of one server as the API reports it. Immutable.
///
/// @param status one word: `online`, `idle`, `offline`, ...
/// @param statusMessage the status for people
/// @param states of its parts, such as process and connection, by name; unknown ones are omitted
/// @param lastError the last error; null if there is none
/// @param tools its known tools
/// @param failedLists why other lists of it could not be read, a sentence each
/// @param load of its call pipeline; null if it has none
/// @param history its failures and restarts; null if it cannot be called
/// @param slots its part of a connection pool; null if it has none
/// @param login its login; null if it uses none
/// @param sharing who shares its processes
public record ServerReport(
        String name,
        String status,
        String statusMessage,
        List<PartState> states,
        @Nullable ServerError lastError,
        List<ServerSnapshot.Tool> tools,
        List<String> failedLists,
        @Nullable Load load,
        @Nullable History history,
        @Nullable PoolState slots,
        @Nullable LoginReport login,
        ServerSnapshot.Sharing sharing) {

    public ServerReport {
        states = List.copyOf(states);
        tools = List.copyOf(tools);
        failedLists = List.copyOf(failedLists);
    }

    /// The state of one part of a server, for example `process`, `running`. Immutable.
    public record PartState(String part, String state) {}

    /// An error. Immutable.
    ///
    /// @param id its error id, which has a page in docs/errors
    public record ServerError(String code, String message, String id) {}

    /// The calls in flight and the queued calls. Immutable.
    public record Load(int inFlight, int waiting) {}

    /// Failures and restarts. Immutable.
    ///
    /// @param failures since the current endpoint is in use: those of another address give no information about it
    /// @param restarts processes that replaced a crashed one since the gateway started
    public record History(FailureCounts.Snapshot failures, long restarts) {
        void write(JsonWriter json) {
            json.name("failures").beginObject().name("connect").number(failures.connect());
            json.name("midCall").number(failures.midCall()).name("ping").number(failures.ping());
            json.name("http").number(failures.http()).endObject();
            json.name("restarts").number(restarts);
        }
    }

    /// A connection pool and the server's part of it. Immutable.
    ///
    /// @param pool its name in metrics
    /// @param connections those of this server
    public record PoolState(String pool, int connections, PoolSnapshot snapshot) {
        void write(JsonWriter json) {
            PoolSnapshot.Totals totals = snapshot.totals();
            json.name("pool").beginObject().name("name").string(pool);
            json.name("connections").number(connections).name("size").number(snapshot.size());
            json.name("taken").number(snapshot.taken()).name("idle").number(snapshot.idle());
            json.name("waiting").number(snapshot.waiting()).name("evicted").number(totals.evicted());
            json.name("expired").number(totals.expired()).name("reserved").number(totals.reserved());
            json.name("refused").number(totals.refused()).endObject();
        }
    }

    /// @param breakers all breakers
    /// @param inFull whether this server alone was requested
    void write(JsonWriter json, List<BreakerSnapshot> breakers, boolean inFull) {
        json.beginObject().name("name").string(name);
        json.name("status").string(status).name("statusMessage").string(statusMessage);
        states.forEach(each -> json.name(each.part()).string(each.state()));
        json.name("toolCount").number(tools.size());
        if (load != null) {
            json.name("inFlight").number(load.inFlight()).name("waiting").number(load.waiting());
        }
        if (login != null) {
            login.write(json.name("login"));
        }
        if (!sharing.processes().isEmpty()) {
            json.name("sharedBy").beginArray();
            sharing.processes().forEach(process -> write(process, json));
            json.endArray();
        }
        write(sharing.sameName(), json);
        if (lastError != null) {
            json.name("lastError").beginObject().name("code").string(lastError.code());
            json.name("message").string(lastError.message()).name("id").string(lastError.id());
            json.endObject();
        }
        List<BreakerSnapshot> own = breakers.stream()
                .filter(breaker -> breaker.name().server().equals(name))
                .toList();
        own.stream()
                .filter(breaker -> breaker.name().tool() == null)
                .forEach(breaker -> json.name("breaker").raw(BreakerJson.one(breaker)));
        json.name("toolBreakers").beginArray();
        own.stream()
                .filter(ServerReport::isUnhealthyToolBreaker)
                .forEach(breaker -> json.raw(BreakerJson.one(breaker)));
        json.endArray();
        if (inFull) {
            writeRest(json);
        }
        json.endObject();
    }

    private static void write(ProcessSharing process, JsonWriter json) {
        json.beginObject().name("clientCount").number(process.count());
        json.name("clients").beginArray();
        process.clients().forEach(json::string);
        json.endArray().name("notOffered").beginArray();
        process.notOffered().forEach(json::string);
        json.endArray();
        if (process.withoutSession()) {
            json.name("withoutSession").bool(true);
        }
        json.endObject();
    }

    private static void write(SameNameServers sameName, JsonWriter json) {
        if (sameName.isOnePerFolder()) {
            json.name("onePerFolder").bool(true);
        }
        LaunchDifference difference = sameName.difference();
        if (sameName.first() != null && difference != null) {
            json.name("differsFrom").string(sameName.first());
            json.name("differentVariables").beginArray();
            difference.variables().forEach(json::string);
            json.endArray().name("differentSettings").beginArray();
            difference.settings().forEach(json::string);
            json.endArray();
        }
    }

    /// Otherwise an open breaker of a tool would go unnoticed on a healthy server.
    private static boolean isUnhealthyToolBreaker(BreakerSnapshot breaker) {
        return breaker.name().tool() != null && breaker.state() != State.CLOSED && breaker.state() != State.DISABLED;
    }

    private void writeRest(JsonWriter json) {
        if (history != null) {
            history.write(json);
        }
        if (slots != null) {
            slots.write(json);
        }
        json.name("failedLists").beginArray();
        failedLists.forEach(json::string);
        json.endArray();
        json.name("tools").beginArray();
        tools.forEach(tool -> write(tool, json));
        json.endArray();
    }

    private static void write(ServerSnapshot.Tool tool, JsonWriter json) {
        json.beginObject().name("name").string(tool.own()).name("shownAs").string(tool.shown());
        json.name("description").string(tool.description());
        json.name("tokens").number(tool.tokens());
        if (tool.hasHiddenText()) {
            json.name("hiddenText").bool(true);
        }
        json.endObject();
    }
}
