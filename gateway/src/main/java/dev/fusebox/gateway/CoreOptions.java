package dev.fusebox.gateway;

import dev.fusebox.sandbox.WorkerProgram;
import java.util.Optional;
import java.util.function.Supplier;

/// The options of a [GatewayCore]. Immutable.
///
/// @param serveMode how servers are served
/// @param persistentState state that earlier runs have kept, and this one will keep
/// @param worker the program that runs scripts, located when it may be needed; empty if there is none
/// @param version of the program, for metrics
public record CoreOptions(
        ServeMode serveMode,
        PersistentState persistentState,
        Supplier<Optional<WorkerProgram>> worker,
        String version) {
    static final String UNKNOWN = "unknown";

    /// A gateway that keeps no state and runs no scripts.
    public static CoreOptions of(ServeMode serveMode) {
        return new CoreOptions(serveMode, PersistentState.NOTHING, Optional::empty, UNKNOWN);
    }

    /// The same with state that outlives the gateway.
    public CoreOptions with(PersistentState other) {
        return new CoreOptions(serveMode, other, worker, version);
    }

    /// The same with scripts.
    public CoreOptions with(Supplier<Optional<WorkerProgram>> other) {
        return new CoreOptions(serveMode, persistentState, other, version);
    }
}
