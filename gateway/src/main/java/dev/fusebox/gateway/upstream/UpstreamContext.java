package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.task.TaskIds;
import dev.fusebox.platform.Platform;
import java.util.Collection;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The dependencies that all servers share. Immutable.
///
/// @param secrets source of the resume tokens of suspended calls
/// @param pages the most pages of a list
/// @param events listener of all lifecycles
/// @param catalogStore keeps catalogs on disk
/// @param taskIds the ids that clients get for tasks
public record UpstreamContext(
        Platform platform,
        RandomGenerator secrets,
        int pages,
        LifecycleEvent.Listener events,
        CatalogStore catalogStore,
        TaskIds taskIds) {
    /// The sessions that may have their own server processes. Implementations must not block.
    public interface Readers {
        /// The oldest session, or the oldest with this profile if there is one; null if there is no session.
        ///
        /// @param profile null for any
        @Nullable
        ClientMetadata first(@Nullable String profile);

        /// All sessions.
        Collection<ClientMetadata> all();
    }
}
