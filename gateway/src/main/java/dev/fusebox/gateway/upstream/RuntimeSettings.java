package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.PipelineEntry;
import dev.fusebox.gateway.era.UpstreamEndpoint;

/// How a server is called at the moment: by which rules, through which lane, on which line. Immutable but for
/// lane and line.
record RuntimeSettings(
        ServerPolicy rules, CallPipeline pipeline, PipelineEntry pipelineEntry, ServerGeneration generation) {
    static RuntimeSettings of(ServerPolicy rules, CallPipeline pipeline, ServerGeneration generation) {
        return new RuntimeSettings(rules, pipeline, pipeline.over(generation.liveness()), generation);
    }

    /// A call as the lane sees it.
    PipelineCall call(Call call, PipelineCall.Kind kind, Router.From from) {
        UpstreamEndpoint endpoint = generation.endpoint();
        return new PipelineCall(
                call,
                kind,
                from.asker(),
                attempt -> endpoint.call(attempt, from.client()),
                from.client().info());
    }

    /// Makes the call, for a client whose turn it is if there has to be a connection first.
    Outcome make(Call call, PipelineCall.Kind kind, Router.From from) {
        return make(call(call, kind, from));
    }

    Outcome make(PipelineCall call) {
        generation.work(call.client());
        return pipelineEntry.call(call);
    }
}
