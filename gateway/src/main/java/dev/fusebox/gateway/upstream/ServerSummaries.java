package dev.fusebox.gateway.upstream;

import dev.fusebox.breaker.Rejection;
import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.gateway.tools.ServerSummary;

/// Puts what is known of a server into what models are told of it. Pure functions but for the lane that they look
/// at.
final class ServerSummaries {
    private ServerSummaries() {}

    static ServerSummary of(ServerSnapshot snapshot) {
        CallPipeline pipeline = snapshot.pipeline();
        State state = pipeline == null ? null : pipeline.state();
        Rejection rejection = pipeline == null ? null : pipeline.rejection();
        CallFailure trouble = snapshot.lastFailure();
        ServerSnapshot.Words words = snapshot.words();
        return new ServerSummary(
                snapshot.id(),
                words.status().toString(),
                words.message(),
                snapshot.tools().size(),
                state == null ? null : state.toString(),
                trouble == null ? null : trouble.message(),
                rejection == null ? null : rejection.retryAfter(),
                snapshot.known(),
                snapshot.absent() != null || words.status().isDown());
    }
}
