package dev.fusebox.gateway.crowd;

import dev.fusebox.breaker.Rejection;
import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.gateway.tools.ServerSummary;

/// Puts what is known of a server into what models are told of it. Pure functions but for the lane that they look
/// at.
final class Glances {
    private Glances() {}

    static ServerSummary of(Sight sight) {
        CallPipeline pipeline = sight.pipeline();
        State state = pipeline == null ? null : pipeline.state();
        Rejection rejection = pipeline == null ? null : pipeline.rejection();
        CallFailure trouble = sight.lastFailure();
        Sight.Words words = sight.words();
        return new ServerSummary(
                sight.id(),
                words.status().toString(),
                words.message(),
                sight.tools().size(),
                state == null ? null : state.toString(),
                trouble == null ? null : trouble.message(),
                rejection == null ? null : rejection.retryAfter(),
                sight.known(),
                sight.absent() != null || words.status().isDown());
    }
}
