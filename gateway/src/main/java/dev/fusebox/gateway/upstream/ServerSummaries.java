package dev.fusebox.gateway.upstream;

import dev.fusebox.breaker.Rejection;
import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.gateway.tools.ServerSummary;

/// The summaries of servers for models. Pure functions except for the call pipeline that they read.
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
