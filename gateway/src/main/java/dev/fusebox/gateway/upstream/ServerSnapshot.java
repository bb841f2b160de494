package dev.fusebox.gateway.upstream;

import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
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
/// @param trouble why it cannot be called, or why its lists could not be read last; null if neither is so
/// @param health its health; null if it has no lifecycle
/// @param tools that clients see
/// @param failedLists messages on lists, other than that of tools, that could not be read last
public record ServerSnapshot(
        String id,
        @Nullable CallPipeline pipeline,
        @Nullable ServerStatus absent,
        boolean known,
        @Nullable CallFailure trouble,
        @Nullable ServerHealth health,
        List<Tool> tools,
        List<String> failedLists) {
    public ServerSnapshot {
        tools = List.copyOf(tools);
        failedLists = List.copyOf(failedLists);
    }

    /// A tool under its own and its exposed name. Immutable. There are thousands, and most are only counted, so
    /// the definition is parsed on demand.
    ///
    /// @param definition as its server returned it
    public record Tool(String own, String shown, JsonView definition) {
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
        return new ServerSnapshot(id, pipeline, null, false, null, null, List.of(), List.of());
    }

    static ServerSnapshot of(UnavailableServer server) {
        return new ServerSnapshot(server.id(), null, server.status(), false, server.why(), null, List.of(), List.of());
    }

    /// The last failure: of its lifecycle, or of reading its lists; null if nothing is wrong.
    public @Nullable CallFailure lastFailure() {
        CallFailure last = health == null ? null : health.lastFailure();
        boolean isWell = health != null && health.status() == ServerStatus.ONLINE;
        return last != null || isWell ? last : trouble;
    }

    /// A status with a message for people. Immutable.
    public record Words(ServerStatus status, String message) {}

    /// The status in words. The breaker's state takes precedence over other facts, unless those are worse.
    public Words words() {
        if (absent != null) {
            return new Words(absent, trouble == null ? "cannot be called" : trouble.message());
        }
        if (health != null && health.status().isDown()) {
            return new Words(health.status(), health.message());
        }
        return switch (pipeline == null ? State.CLOSED : pipeline.state()) {
            case OPEN -> new Words(ServerStatus.OFFLINE, "down: its breaker is open");
            case FORCED_OPEN -> new Words(ServerStatus.OFFLINE, "breaker forced open by an operator");
            case HALF_OPEN -> new Words(ServerStatus.OFFLINE, "probing: its breaker is half-open");
            case CLOSED, DISABLED -> health == null ? unwatched() : new Words(health.status(), health.message());
        };
    }

    private Words unwatched() {
        if (trouble != null) {
            boolean wantsLogin = trouble.category() == FailureCategory.AUTH;
            return new Words(wantsLogin ? ServerStatus.REQUIRES_REAUTH : ServerStatus.OFFLINE, trouble.message());
        }
        return known
                ? new Words(ServerStatus.ONLINE, "ready")
                : new Words(ServerStatus.IDLE, "ready; the first call connects to it");
    }
}
