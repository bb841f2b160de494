package dev.fusebox.client.resilience;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import org.jspecify.annotations.Nullable;

/// A lane over one connection at a time: several ways may lead to one server, each with a process of its own, say,
/// and what happens on any of them counts for all. Thread-safe; [#call] blocks, for as long as the caller has
/// patience.
public final class PipelineEntry {
    private final CallPipeline pipeline;
    private final Liveness liveness;
    private final TimeoutArbiter timeoutArbiter;

    PipelineEntry(CallPipeline pipeline, Liveness liveness, TimeoutArbiter.Rules rules) {
        this.pipeline = pipeline;
        this.liveness = liveness;
        this.timeoutArbiter = new TimeoutArbiter(liveness, rules, this::silent);
    }

    /// Makes the call, or refuses it.
    public Outcome call(PipelineCall call) {
        return pipeline.call(call, timeoutArbiter);
    }

    /// Why nobody may call the server now, as a call would be told; null if calls are let in as usual.
    public @Nullable CallFailure refusal() {
        return pipeline.refusal();
    }

    /// A process that stays silent will not come back by itself. If it counts as down, or no other client waits
    /// for it, it is ended, so that the next call meets a fresh one.
    private void silent(FailureCategory category) {
        if (pipeline.silent(category, liveness.isIdle())) {
            timeoutArbiter.cut();
            liveness.disconnect();
        }
    }
}
