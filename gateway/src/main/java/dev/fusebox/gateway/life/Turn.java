package dev.fusebox.gateway.life;

import dev.fusebox.client.CallFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A standing while something happens to it. For one thread.
final class Turn {
    final long now;
    private final List<LifeEvent> events = new ArrayList<>();
    private Status status;
    private String message;
    int live;

    @Nullable
    CallFailure lastFailure;

    @Nullable
    Due due;

    boolean greeted;
    Tally tally;
    int quick;
    int probes;
    int restarts;
    int rereads;
    Standing.@Nullable Before before;

    @Nullable
    Long downSince;

    Standing.@Nullable Ended ended;

    Turn(Standing from, long now) {
        this.now = now;
        this.status = from.status();
        this.message = from.message();
        this.live = from.live();
        this.lastFailure = from.lastFailure();
        this.due = from.due();
        Standing.History history = from.history();
        this.greeted = history.greeted();
        this.tally = history.tally();
        this.quick = history.quick();
        this.probes = history.probes();
        this.restarts = history.restarts();
        this.rereads = history.rereads();
        this.before = history.before();
        this.downSince = history.downSince();
        this.ended = history.ended();
    }

    Status status() {
        return status;
    }

    String message() {
        return message;
    }

    /// @throws IllegalStateException if that may not follow, which is a bug
    void become(Status next, String why) {
        if (next == status) {
            message = why;
            return;
        }
        if (!status.mayBecome(next)) {
            throw new IllegalStateException(status + " may not become " + next);
        }
        events.add(new LifeEvent.StatusChanged(status, next, why));
        status = next;
        message = why;
    }

    /// While what it offers is being announced nothing else may follow: it was ready, if only for a moment.
    void endSyncing() {
        if (status == Status.SYNCING_TOOLS) {
            become(Status.ONLINE, "ready");
        }
    }

    /// Nobody needs it, and nothing is planned for it.
    void rest() {
        become(Status.IDLE, Condition.NOT_CONNECTED);
        due = null;
    }

    /// It is down from now on, if it was not before.
    void fell() {
        before = null;
        if (downSince == null) {
            downSince = now;
        }
    }

    /// It is this already, as everybody was told before it had a life.
    void begin(Status first, String why) {
        status = first;
        message = why;
    }

    void tell(LifeEvent event) {
        events.add(event);
    }

    /// What is done after so long, if nothing happens before.
    void plan(Due.What what, Duration after) {
        due = new Due(what, now + after.toNanos());
    }

    boolean isDue(Due.What what) {
        return due != null && due.what() == what;
    }

    List<LifeEvent> events() {
        return List.copyOf(events);
    }

    Standing standing() {
        Standing.History history =
                new Standing.History(greeted, tally, quick, probes, restarts, rereads, before, downSince, ended);
        return new Standing(status, message, live, lastFailure, due, history);
    }
}
