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

/// One server at one moment, as far as its lane and its shelf know. Immutable but for the lane.
///
/// @param pipeline null if the server cannot be called
/// @param absent how it is if it cannot be called; null if it can
/// @param known whether it has ever said what it offers
/// @param trouble why it cannot be called, or could not be asked last what it offers; null if neither is so
/// @param health how it is; null if nobody watches its life
/// @param tools that clients see
/// @param failedLists why lists other than that of its tools could not be read last, a sentence each
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

    /// A tool under its server's name and under the one that clients see. Immutable. There are thousands, of which
    /// most are only counted: what it says is looked up when somebody asks.
    ///
    /// @param definition as its server gave it
    public record Tool(String own, String shown, JsonView definition) {
        public String description() {
            return Objects.requireNonNullElse(definition.string("description"), "");
        }

        /// That a model reads to know all of it, about.
        public long tokens() {
            return CatalogEntry.tokens(definition);
        }

        /// Whether its definition has hidden characters.
        public boolean hasHiddenText() {
            return HiddenCharacters.hasHidden(definition);
        }
    }

    /// A server of which nothing is known but its lane.
    public static ServerSnapshot of(String id, CallPipeline pipeline) {
        return new ServerSnapshot(id, pipeline, null, false, null, null, List.of(), List.of());
    }

    static ServerSnapshot of(UnavailableServer server) {
        return new ServerSnapshot(server.id(), null, server.status(), false, server.why(), null, List.of(), List.of());
    }

    /// What went wrong last: what is known of its life, or why it has not said what it offers; null if nothing is
    /// wrong.
    public @Nullable CallFailure lastFailure() {
        CallFailure last = health == null ? null : health.lastFailure();
        boolean isWell = health != null && health.status() == ServerStatus.ONLINE;
        return last != null || isWell ? last : trouble;
    }

    /// A status, and what it means for people. Immutable.
    public record Words(ServerStatus status, String message) {}

    /// How it is. What its breaker says goes before what is known otherwise, unless that is worse.
    public Words words() {
        if (absent != null) {
            return new Words(absent, trouble == null ? "cannot be called" : trouble.message());
        }
        if (health != null && health.status().isDown()) {
            return new Words(health.status(), health.message());
        }
        return switch (pipeline == null ? State.CLOSED : pipeline.state()) {
            case OPEN -> new Words(ServerStatus.OFFLINE, "counts as down: its breaker is open");
            case FORCED_OPEN -> new Words(ServerStatus.OFFLINE, "kept from calls by an operator");
            case HALF_OPEN -> new Words(ServerStatus.OFFLINE, "is being tried out again after it was down");
            case CLOSED, DISABLED -> health == null ? unwatched() : new Words(health.status(), health.message());
        };
    }

    private Words unwatched() {
        if (trouble != null) {
            boolean wantsLogin = trouble.category() == FailureCategory.AUTH;
            return new Words(wantsLogin ? ServerStatus.REQUIRES_REAUTH : ServerStatus.OFFLINE, trouble.message());
        }
        return known
                ? new Words(ServerStatus.ONLINE, "has said what it offers, and nothing is known to be wrong")
                : new Words(ServerStatus.IDLE, "ready; its first call connects to it");
    }
}
