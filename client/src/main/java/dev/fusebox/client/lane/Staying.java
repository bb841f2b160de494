package dev.fusebox.client.lane;

import dev.fusebox.breaker.Breakers;
import org.jspecify.annotations.Nullable;

/// What a lane has of the one before it to the same server. Immutable.
///
/// @param former where calls may still be under way; null for the first lane
record Staying(
        Breakers breakers,
        Onlooker onlooker,
        FailureCounts failures,
        InFlight inFlight,
        @Nullable Turnstile former) {}
