package dev.fusebox.gateway.upstream;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// A server that a configuration asks for. Immutable.
///
/// @param launch what makes it the same server in the views of several clients; null for a server that no views
/// share
/// @param spec creates its specification, if no view has the server yet, from its number among the servers of its
/// id
public record PlannedServer(String id, @Nullable LaunchIdentity launch, IntFunction<ServerSpec> spec) {
    /// A server that no views share.
    public static PlannedServer of(ServerSpec spec) {
        return new PlannedServer(spec.frontTarget().settings().server(), null, _ -> spec);
    }
}
