package dev.fusebox.gateway.upstream;

import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.platform.Platform;
import java.util.random.RandomGenerator;

/// Where servers live. Immutable.
///
/// @param secrets makes the tickets of calls that wait for their client
/// @param pages how many a list may have
/// @param events hears of their lives
/// @param catalogStore keeps what they offer
/// @param clientSessions clients that may have servers of their own
record UpstreamContext(
        Platform platform,
        RandomGenerator secrets,
        int pages,
        LifecycleEvent.Listener events,
        CatalogStore catalogStore,
        ClientSessions clientSessions) {}
