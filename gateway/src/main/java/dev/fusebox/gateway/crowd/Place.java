package dev.fusebox.gateway.crowd;

import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.platform.Platform;
import java.util.random.RandomGenerator;

/// Where servers live. Immutable.
///
/// @param secrets makes the tickets of calls that wait for their client
/// @param pages how many a list may have
/// @param events hears of their lives
/// @param memory keeps what they offer
/// @param guests clients that may have servers of their own
record Place(
        Platform platform,
        RandomGenerator secrets,
        int pages,
        LifecycleEvent.Listener events,
        Memory memory,
        Guests guests) {}
