package dev.fusebox.gateway.crowd;

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
final class Footing {
    private final String id;
    private final Place place;
    private final Line.Owner owner;

    /// Written under the monitor only.
    private volatile Terms terms;

    private volatile boolean isEnding;

    /// @param owner of each line
    Footing(Place place, Joining joining, Line.Owner owner) {
        this.id = joining.frontTarget().settings().server();
        this.place = place;
        this.owner = owner;
        this.terms = termsOf(joining);
    }

    private Terms termsOf(Joining joining) {
        CallPipeline pipeline = joining.pipeline().get();
        return Terms.of(joining.rules(), pipeline, new Line(place, joining, pipeline, owner));
    }

    /// The server's.
    String id() {
        return id;
    }

    /// Those that hold now.
    Terms terms() {
        return terms;
    }

    MemberRules rules() {
        return terms.rules();
    }

    CallPipeline pipeline() {
        return terms.pipeline();
    }

    Line line() {
        return terms.line();
    }

    /// The same, and its successor if one is being made.
    synchronized Line latest() {
        return terms.line();
    }

    ServerLifecycle lifecycle() {
        return terms.line().lifecycle();
    }

    // ---- What changes

    /// It is called on these terms from now on; calls that are under way go on as they began. What was in use, or
    /// should have been, is started: whatever kept it from that may be mended. What an operator holds open stays
    /// so.
    ///
    /// @return the line that is to be drained
    synchronized Line become(Joining joining) {
        Map<BreakerName, String> held = pipeline().held();
        Line before = leave();
        ServerStatus told = before.lifecycle().health().status();
        Terms next = termsOf(joining);
        next.pipeline().hold(held);
        if (told != ServerStatus.IDLE) {
            next.line().lifecycle().begin(told, "its configuration has changed");
        }
        terms = next;
        return before;
    }

    /// Calls and its life keep to other rules from now on.
    synchronized void govern(PipelineRules lane, MemberRules rules, LifecycleSettings life) {
        Line line = terms.line();
        line.govern(life);
        CallPipeline next = terms.pipeline().under(lane);
        line.behind(next);
        terms = Terms.of(rules, next, line);
    }

    /// Is called no more. Gives the line that is to be drained.
    synchronized Line leave() {
        Line last = terms.line();
        last.retire();
        terms.pipeline().retire();
        return last;
    }

    /// From now on whoever is not let in is told that it is the gateway that ends.
    void end() {
        isEnding = true;
    }

    // ---- Who comes in

    /// Calls and readings that are under way on the line that there is now.
    int count() {
        return terms.line().door().inside();
    }

    /// Has work done by whoever comes in by the door.
    Outcome inside(Function<Terms, Outcome> work) {
        Terms now = enter();
        if (now == null) {
            return new Outcome.Failed(closed());
        }
        try {
            return work.apply(now);
        } finally {
            now.line().leave();
        }
    }

    private CallFailure closed() {
        return isEnding
                ? CallFailure.notSent(ErrorCode.CANCELLED, "the gateway is ending; the call was not sent to " + id)
                : CallFailure.policy(
                        ErrorCode.UNKNOWN_SERVER, id + " is not configured any more; the call was not sent");
    }

    /// Null if nobody can be let in any more. Whoever gets terms leaves their door.
    private @Nullable Terms enter() {
        Terms now = terms;
        return now.line().door().enter() ? now : enterNext();
    }

    /// A door is closed while its successor is made.
    private synchronized @Nullable Terms enterNext() {
        return terms.line().door().enter() ? terms : null;
    }
}
