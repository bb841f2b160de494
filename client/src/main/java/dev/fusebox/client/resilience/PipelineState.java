package dev.fusebox.client.resilience;

import dev.fusebox.breaker.Breakers;
import org.jspecify.annotations.Nullable;

/// What a lane has of the one before it to the same server. Immutable.
///
/// @param former where calls may still be under way; null for the first lane
record PipelineState(
        Breakers breakers,
        CallObserver observer,
        FailureCounts failures,
        InFlightCalls inFlightCalls,
        @Nullable FairBulkhead former) {}
