package dev.fusebox.gateway;

import dev.fusebox.gateway.share.ClientPlace;
import dev.fusebox.sandbox.WorkerProgram;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The options of a [GatewayCore]. Immutable.
///
/// @param serveMode how servers are served
/// @param persistentState state that earlier runs have kept, and this one will keep
/// @param worker the program that runs scripts, located when it may be needed; empty if there is none
/// @param version of the program, for metrics
/// @param here the place of this process, where clients at several places share servers; null otherwise
public record CoreOptions(
        ServeMode serveMode,
        PersistentState persistentState,
        Supplier<Optional<WorkerProgram>> worker,
        String version,
        @Nullable ClientPlace here) {
    static final String UNKNOWN = "unknown";

    /// A gateway that keeps no state and runs no scripts.
    public static CoreOptions of(ServeMode serveMode) {
        return new CoreOptions(serveMode, PersistentState.NOTHING, Optional::empty, UNKNOWN, null);
    }

    /// The same with state that outlives the gateway.
    public CoreOptions with(PersistentState other) {
        return new CoreOptions(serveMode, other, worker, version, here);
    }

    /// The same for a gateway that clients at several places share.
    CoreOptions at(ClientPlace other) {
        return new CoreOptions(serveMode, persistentState, worker, version, other);
    }

    /// The same with scripts.
    public CoreOptions with(Supplier<Optional<WorkerProgram>> other) {
        return new CoreOptions(serveMode, persistentState, other, version, here);
    }
}
