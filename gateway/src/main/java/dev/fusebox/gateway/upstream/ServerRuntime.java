package dev.fusebox.gateway.upstream;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// On which terms a server is called, which may change while it is. Thread-safe; nothing blocks but what is done
/// [#inside].
final class ServerRuntime {
    private final String id;
    private final UpstreamContext upstreamContext;
    private final ServerGeneration.Owner owner;

    /// Written under the monitor only.
    private volatile RuntimeSettings runtimeSettings;

    private volatile boolean isEnding;

    /// @param owner of each line
    ServerRuntime(UpstreamContext upstreamContext, ServerSpec spec, ServerGeneration.Owner owner) {
        this.id = spec.frontTarget().settings().server();
        this.upstreamContext = upstreamContext;
        this.owner = owner;
        this.runtimeSettings = runtimeSettingsOf(spec);
    }

    private RuntimeSettings runtimeSettingsOf(ServerSpec spec) {
        CallPipeline pipeline = spec.pipeline().get();
        return RuntimeSettings.of(spec.rules(), pipeline, new ServerGeneration(upstreamContext, spec, pipeline, owner));
    }

    /// The server's.
    String id() {
        return id;
    }

    /// Those that hold now.
    RuntimeSettings runtimeSettings() {
        return runtimeSettings;
    }

    ServerPolicy rules() {
        return runtimeSettings.rules();
    }

    CallPipeline pipeline() {
        return runtimeSettings.pipeline();
    }

    ServerGeneration generation() {
        return runtimeSettings.generation();
    }

    /// The same, and its successor if one is being made.
    synchronized ServerGeneration latest() {
        return runtimeSettings.generation();
    }

    ServerLifecycle lifecycle() {
        return runtimeSettings.generation().lifecycle();
    }

    // ---- What changes

    /// It is called on these terms from now on; calls that are under way go on as they began. What was in use, or
    /// should have been, is started: whatever kept it from that may be mended. What an operator holds open stays
    /// so.
    ///
    /// @return the line that is to be drained
    synchronized ServerGeneration become(ServerSpec spec) {
        Map<BreakerName, String> held = pipeline().held();
        ServerGeneration before = leave();
        ServerStatus told = before.lifecycle().health().status();
        RuntimeSettings next = runtimeSettingsOf(spec);
        next.pipeline().hold(held);
        if (told != ServerStatus.IDLE) {
            next.generation().lifecycle().begin(told, "its configuration has changed");
        }
        runtimeSettings = next;
        return before;
    }

    /// Calls and its life keep to other rules from now on.
    synchronized void govern(PipelineRules lane, ServerPolicy rules, LifecycleSettings life) {
        ServerGeneration generation = runtimeSettings.generation();
        generation.govern(life);
        CallPipeline next = runtimeSettings.pipeline().under(lane);
        generation.behind(next);
        runtimeSettings = RuntimeSettings.of(rules, next, generation);
    }

    /// Is called no more. Gives the line that is to be drained.
    synchronized ServerGeneration leave() {
        ServerGeneration last = runtimeSettings.generation();
        last.retire();
        runtimeSettings.pipeline().retire();
        return last;
    }

    /// From now on whoever is not let in is told that it is the gateway that ends.
    void end() {
        isEnding = true;
    }

    // ---- Who comes in

    /// Calls and readings that are under way on the line that there is now.
    int count() {
        return runtimeSettings.generation().drainLatch().inside();
    }

    /// Has work done by whoever comes in by the door.
    Outcome inside(Function<RuntimeSettings, Outcome> work) {
        RuntimeSettings now = enter();
        if (now == null) {
            return new Outcome.Failed(closed());
        }
        try {
            return work.apply(now);
        } finally {
            now.generation().leave();
        }
    }

    private CallFailure closed() {
        return isEnding
                ? CallFailure.notSent(ErrorCode.CANCELLED, "the gateway is ending; the call was not sent to " + id)
                : CallFailure.policy(
                        ErrorCode.UNKNOWN_SERVER, id + " is not configured any more; the call was not sent");
    }

    /// Null if nobody can be let in any more. Whoever gets terms leaves their door.
    private @Nullable RuntimeSettings enter() {
        RuntimeSettings now = runtimeSettings;
        return now.generation().drainLatch().enter() ? now : enterNext();
    }

    /// A door is closed while its successor is made.
    private synchronized @Nullable RuntimeSettings enterNext() {
        return runtimeSettings.generation().drainLatch().enter() ? runtimeSettings : null;
    }
}
