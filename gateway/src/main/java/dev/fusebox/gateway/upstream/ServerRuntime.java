package dev.fusebox.gateway.upstream;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.platform.Platform;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The current generation of a server, which changes with the configuration. Thread-safe; nothing blocks.
final class ServerRuntime {
    private final String id;
    private final UpstreamContext upstreamContext;
    private final Place place;

    /// Written under the monitor only.
    private volatile ServerGeneration generation;

    private volatile boolean isEnding;

    /// What all generations have in common.
    ///
    /// @param owner owner of each generation
    /// @param instance the number of the server among those of its id
    record Place(ServerGeneration.Owner owner, int instance) {}

    ServerRuntime(UpstreamContext upstreamContext, ServerSpec spec, Place place) {
        this.id = spec.frontTarget().settings().server();
        this.upstreamContext = upstreamContext;
        this.place = place;
        this.generation = new ServerGeneration(upstreamContext, spec, place);
    }

    /// The server's id.
    String id() {
        return id;
    }

    Platform platform() {
        return upstreamContext.platform();
    }

    ServerPolicy rules() {
        return generation.settings().policy();
    }

    CallPipeline pipeline() {
        return generation.settings().pipeline();
    }

    ServerGeneration generation() {
        return generation;
    }

    /// The current generation, or its successor if one is being created.
    synchronized ServerGeneration latest() {
        return generation;
    }

    ServerLifecycle lifecycle() {
        return generation.lifecycle();
    }

    // ---- Changes

    /// Replaces the generation. Calls in flight finish on the old one. A server that was running, or should
    /// have been, is started again: the new configuration may have fixed it. A breaker that an operator holds
    /// open stays open.
    ///
    /// @return the old generation, to be drained
    synchronized ServerGeneration replaceGeneration(ServerSpec spec) {
        Map<BreakerName, String> held = pipeline().held();
        ServerGeneration before = leave();
        ServerStatus status = before.lifecycle().health().status();
        ServerGeneration next = new ServerGeneration(upstreamContext, spec, place);
        next.settings().pipeline().restoreForcedOpen(held);
        if (status != ServerStatus.IDLE) {
            next.lifecycle().begin(status, "its configuration has changed");
        }
        generation = next;
        return before;
    }

    /// Changes rules within the current generation.
    synchronized void govern(PipelineRules pipelineRules, ServerPolicy policy, LifecycleSettings life) {
        generation.govern(pipelineRules, policy, life);
    }

    /// Refuses new calls. Returns the last generation, to be drained.
    synchronized ServerGeneration leave() {
        generation.retire();
        generation.settings().pipeline().retire();
        return generation;
    }

    /// Sets the reason of rejections: the gateway is shutting down.
    void end() {
        isEnding = true;
    }

    // ---- Calls

    /// The number of calls and readings in progress on the current generation.
    int count() {
        return generation.inFlight();
    }

    /// Admits a call to the current generation, to be ended with [ServerGeneration#leave]; null if the server
    /// takes no more calls.
    @Nullable
    ServerGeneration enter() {
        ServerGeneration now = generation;
        return now.enter() ? now : enterNext();
    }

    /// A generation is closed while its successor is created.
    private synchronized @Nullable ServerGeneration enterNext() {
        return generation.enter() ? generation : null;
    }

    /// Why [#enter] gave none.
    CallFailure closed() {
        return isEnding
                ? CallFailure.notSent(ErrorId.CANCELLED, "the gateway is shutting down; the call was not sent to " + id)
                : CallFailure.policy(ErrorId.UNKNOWN_SERVER, id + " is no longer configured; the call was not sent");
    }
}
