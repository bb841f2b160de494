package dev.fusebox.gateway.lifecycle;

import dev.fusebox.client.CallFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A mutable lifecycle state during one transition. For one thread.
final class Transition {
    final long now;
    private final List<LifecycleEvent> events = new ArrayList<>();
    private ServerStatus status;
    private String message;
    int live;

    @Nullable
    CallFailure lastFailure;

    @Nullable
    NextAction nextAction;

    boolean greeted;
    boolean isTryingLogin;
    CrashCount crashCount;
    int quick;
    int probes;
    int restarts;
    int rereads;
    LifecycleState.@Nullable PreviousStatus previousStatus;

    @Nullable
    Long downSince;

    LifecycleState.@Nullable Ended ended;

    Transition(LifecycleState from, long now) {
        this.now = now;
        this.status = from.status();
        this.message = from.message();
        this.live = from.live();
        this.lastFailure = from.lastFailure();
        this.nextAction = from.nextAction();
        LifecycleState.History history = from.history();
        this.greeted = history.greeted();
        this.isTryingLogin = history.isTryingLogin();
        this.crashCount = history.crashCount();
        this.quick = history.quick();
        this.probes = history.probes();
        this.restarts = history.restarts();
        this.rereads = history.rereads();
        this.previousStatus = history.previousStatus();
        this.downSince = history.downSince();
        this.ended = history.ended();
    }

    ServerStatus status() {
        return status;
    }

    String message() {
        return message;
    }

    /// @throws IllegalStateException if the transition is not allowed, which is a bug
    void moveTo(ServerStatus next, String why) {
        if (next == status) {
            message = why;
            return;
        }
        if (!status.canBecome(next)) {
            throw new IllegalStateException(status + " may not become " + next);
        }
        events.add(new LifecycleEvent.StatusChanged(status, next, why));
        status = next;
        message = why;
    }

    /// No other status may follow while lists are being announced, so it is online first, if only for a moment.
    void endSyncing() {
        if (status == ServerStatus.SYNCING_TOOLS) {
            moveTo(ServerStatus.ONLINE, "ready");
        }
    }

    /// It is not needed, and nothing is scheduled for it.
    void rest() {
        moveTo(ServerStatus.IDLE, ServerHealth.NOT_CONNECTED);
        nextAction = null;
    }

    /// It is down from now on, if it was not before.
    void wentDown() {
        previousStatus = null;
        if (downSince == null) {
            downSince = now;
        }
    }

    /// Sets the status that was already announced before the lifecycle began.
    void begin(ServerStatus first, String why) {
        status = first;
        message = why;
    }

    void addEvent(LifecycleEvent event) {
        events.add(event);
    }

    /// Schedules an action after this time, unless something happens before.
    void plan(NextAction.Kind kind, Duration after) {
        nextAction = new NextAction(kind, now + after.toNanos());
    }

    boolean isDue(NextAction.Kind kind) {
        return nextAction != null && nextAction.kind() == kind;
    }

    List<LifecycleEvent> events() {
        return List.copyOf(events);
    }

    LifecycleState lifecycleState() {
        LifecycleState.History history = new LifecycleState.History(
                greeted, isTryingLogin, crashCount, quick, probes, restarts, rereads, previousStatus, downSince, ended);
        return new LifecycleState(status, message, live, lastFailure, nextAction, history);
    }
}
