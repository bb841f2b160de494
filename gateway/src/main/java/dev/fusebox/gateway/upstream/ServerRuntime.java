package dev.fusebox.gateway.upstream;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.gateway.lifecycle.LifecycleSettings;
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
    private final ServerPipelines.Owner owner;

    /// Written under the monitor only.
    private volatile RuntimeSettings runtimeSettings;

    private volatile boolean isEnding;

    /// @param owner of each line
    ServerRuntime(UpstreamContext upstreamContext, ServerSpec spec, ServerPipelines.Owner owner) {
        this.id = spec.frontTarget().settings().server();
        this.upstreamContext = upstreamContext;
        this.owner = owner;
        this.runtimeSettings = runtimeSettingsOf(spec);
    }

    private RuntimeSettings runtimeSettingsOf(ServerSpec spec) {
        CallPipeline pipeline = spec.pipeline().get();
        return RuntimeSettings.of(spec.rules(), pipeline, new ServerPipelines(upstreamContext, spec, pipeline, owner));
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

    ServerPipelines serverPipelines() {
        return runtimeSettings.serverPipelines();
    }

    /// The same, and its successor if one is being made.
    synchronized ServerPipelines latest() {
        return runtimeSettings.serverPipelines();
    }

    ServerLifecycle lifecycle() {
        return runtimeSettings.serverPipelines().lifecycle();
    }

    // ---- What changes

    /// It is called on these terms from now on; calls that are under way go on as they began. What was in use, or
    /// should have been, is started: whatever kept it from that may be mended. What an operator holds open stays
    /// so.
    ///
    /// @return the line that is to be drained
    synchronized ServerPipelines become(ServerSpec spec) {
        Map<BreakerName, String> held = pipeline().held();
        ServerPipelines before = leave();
        ServerStatus told = before.lifecycle().health().status();
        RuntimeSettings next = runtimeSettingsOf(spec);
        next.pipeline().hold(held);
        if (told != ServerStatus.IDLE) {
            next.serverPipelines().lifecycle().begin(told, "its configuration has changed");
        }
        runtimeSettings = next;
        return before;
    }

    /// Calls and its life keep to other rules from now on.
    synchronized void govern(PipelineRules lane, ServerPolicy rules, LifecycleSettings life) {
        ServerPipelines serverPipelines = runtimeSettings.serverPipelines();
        serverPipelines.govern(life);
        CallPipeline next = runtimeSettings.pipeline().under(lane);
        serverPipelines.behind(next);
        runtimeSettings = RuntimeSettings.of(rules, next, serverPipelines);
    }

    /// Is called no more. Gives the line that is to be drained.
    synchronized ServerPipelines leave() {
        ServerPipelines last = runtimeSettings.serverPipelines();
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
        return runtimeSettings.serverPipelines().drainLatch().inside();
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
            now.serverPipelines().leave();
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
        return now.serverPipelines().drainLatch().enter() ? now : enterNext();
    }

    /// A door is closed while its successor is made.
    private synchronized @Nullable RuntimeSettings enterNext() {
        return runtimeSettings.serverPipelines().drainLatch().enter() ? runtimeSettings : null;
    }
}
