package dev.fusebox.gateway.upstream;

import dev.fusebox.breaker.Rejection;
import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.tools.ServerSummary;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The status of one server at one moment, from its call pipeline and its catalog. Immutable except for the
/// pipeline.
///
/// @param pipeline null if the server cannot be called
/// @param absent the status of a server that cannot be called; null if it can
/// @param known whether its contents were ever read
/// @param failure why it cannot be called, or why its lists could not be read last; null if neither is so
/// @param health its health; null if it has no lifecycle
/// @param tools that clients see
/// @param failedLists messages on lists, other than that of tools, that could not be read last
/// @param sharing how clients share it
public record ServerSnapshot(
        String id,
        @Nullable CallPipeline pipeline,
        @Nullable ServerStatus absent,
        boolean known,
        @Nullable CallFailure failure,
        @Nullable ServerHealth health,
        List<Tool> tools,
        List<String> failedLists,
        Sharing sharing) {
    public ServerSnapshot {
        tools = List.copyOf(tools);
        failedLists = List.copyOf(failedLists);
    }

    /// How clients share a server. Immutable.
    ///
    /// @param label the name of the server where several have its id
    /// @param processes the clients of each process
    /// @param sameName how it differs from other servers of the same id
    public record Sharing(String label, List<ProcessSharing> processes, SameNameServers sameName) {
        public Sharing {
            processes = List.copyOf(processes);
        }

        /// Of the only server of its id, whose clients share no process.
        public static Sharing none(String id) {
            return new Sharing(id, List.of(), SameNameServers.NONE);
        }
    }

    /// The name of the server where several have its id.
    public String label() {
        return sharing.label();
    }

    /// A tool under its own and its exposed name. Immutable. There are thousands, and most are only counted, so
    /// the definition is parsed on demand.
    ///
    /// @param definition as its server returned it
    public record Tool(String own, String shown, JsonView definition) {
        public static Tool of(CatalogEntry tool, String shown) {
            return new Tool(tool.own(), shown, tool.definition());
        }

        public String description() {
            return Objects.requireNonNullElse(definition.string("description"), "");
        }

        /// Estimated number of tokens of the definition.
        public long tokens() {
            return CatalogEntry.tokens(definition);
        }

        /// Whether its definition contains invisible characters.
        public boolean hasHiddenText() {
            return HiddenCharacters.hasHidden(definition);
        }
    }

    /// A snapshot of a server of which only the call pipeline is known.
    public static ServerSnapshot of(String id, CallPipeline pipeline) {
        return new ServerSnapshot(id, pipeline, null, false, null, null, List.of(), List.of(), Sharing.none(id));
    }

    public static ServerSnapshot of(UnavailableServer server) {
        return new ServerSnapshot(
                server.id(),
                null,
                server.status(),
                false,
                server.why(),
                null,
                List.of(),
                List.of(),
                Sharing.none(server.id()));
    }

    /// The last failure: of its lifecycle, or of reading its lists; null if nothing is wrong.
    public @Nullable CallFailure lastFailure() {
        CallFailure last = health == null ? null : health.lastFailure();
        boolean isWell = health != null && health.status() == ServerStatus.ONLINE;
        return last != null || isWell ? last : failure;
    }

    /// A status with a message for people. Immutable.
    public record StatusMessage(ServerStatus status, String message) {}

    /// The status in words. The breaker's state takes precedence over other facts, unless those are worse.
    public StatusMessage statusMessage() {
        if (absent != null) {
            return new StatusMessage(absent, failure == null ? "cannot be called" : failure.message());
        }
        if (health != null && health.status().isDown()) {
            return new StatusMessage(health.status(), health.message());
        }
        return switch (pipeline == null ? State.CLOSED : pipeline.state()) {
            case OPEN -> new StatusMessage(ServerStatus.OFFLINE, "its breaker is open");
            case FORCED_OPEN -> new StatusMessage(ServerStatus.OFFLINE, "breaker forced open by an operator");
            case HALF_OPEN -> new StatusMessage(ServerStatus.OFFLINE, "is recovering and accepts few calls");
            case CLOSED, DISABLED ->
                health == null ? unwatched() : new StatusMessage(health.status(), health.message());
        };
    }

    private StatusMessage unwatched() {
        if (failure != null) {
            boolean wantsLogin = failure.category() == FailureCategory.AUTH;
            return new StatusMessage(
                    wantsLogin ? ServerStatus.REQUIRES_REAUTH : ServerStatus.OFFLINE, failure.message());
        }
        return known
                ? new StatusMessage(ServerStatus.ONLINE, "ready; its lists are known")
                : new StatusMessage(ServerStatus.IDLE, "ready, not connected");
    }

    /// The summary of the server for models.
    public ServerSummary summary() {
        State state = pipeline == null ? null : pipeline.state();
        Rejection rejection = pipeline == null ? null : pipeline.rejection();
        CallFailure last = lastFailure();
        StatusMessage statusMessage = statusMessage();
        return new ServerSummary(
                id,
                statusMessage.status().toString(),
                statusMessage.message(),
                tools.size(),
                state == null ? null : state.toString(),
                last == null ? null : last.message(),
                rejection == null ? null : rejection.retryAfter(),
                known,
                absent != null || statusMessage.status().isDown());
    }
}
