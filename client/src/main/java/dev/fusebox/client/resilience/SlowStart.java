package dev.fusebox.client.resilience;

import java.time.Duration;

/// The slow-start limit on running calls after an outage (four at first), or after a crash that ended several
/// calls (one): it doubles with each answered call and after every 250 ms without a failure; after two seconds
/// only the usual limit holds. Earlier calls do not count, and calls that hang delay the others by those two
/// seconds at most. After a crash both times begin once there is a new process, or after two seconds. Not
/// thread-safe.
final class SlowStart {
    private static final int AFTER_OUTAGE = 4;
    private static final int AFTER_CRASH = 1;
    private static final long STEP = Duration.ofMillis(250).toNanos();
    private static final long LENGTH = Duration.ofSeconds(2).toNanos();

    private final int usual;
    private int limit;
    private int inside;
    private long restarts;
    private long began;
    private boolean awaitsProcess;
    /// When the limit last grew by time, or a call failed.
    private long quietSince;

    SlowStart(int usual) {
        this.usual = usual;
        this.limit = usual;
    }

    /// Begins slow start after an outage.
    ///
    /// @param now by the monotonic clock, here and below
    void outageEnded(long now) {
        awaitsProcess = false;
        restart(AFTER_OUTAGE, now);
    }

    /// Begins slow start after the process ended during several calls.
    void crashed(long now) {
        awaitsProcess = true;
        restart(AFTER_CRASH, now);
    }

    private void restart(int calls, long now) {
        limit = Math.min(calls, usual);
        inside = 0;
        restarts++;
        begin(now);
    }

    private void begin(long now) {
        began = now;
        quietSince = now;
    }

    /// Notes a new process.
    void connected(long now) {
        if (awaitsProcess && limit(now) < usual) {
            begin(now);
        }
        awaitsProcess = false;
    }

    boolean hasRoom(long now) {
        int most = limit(now);
        return most >= usual || inside < most;
    }

    /// Counts an admitted call; the returned value is to be given to [#leave].
    long enter() {
        inside++;
        return restarts;
    }

    void leave(long entered, boolean answered, long now) {
        if (entered != restarts) {
            return;
        }
        inside--;
        advance(now);
        if (answered) {
            grow();
        } else {
            quietSince = now;
        }
    }

    int limit(long now) {
        advance(now);
        return limit;
    }

    /// How long until the limit grows by time; 0 if it does not.
    long untilGrowth(long now) {
        advance(now);
        long untilEnd = began + LENGTH - now;
        long untilStep = awaitsProcess ? untilEnd : quietSince + STEP - now;
        return limit >= usual ? 0 : Math.min(untilStep, untilEnd);
    }

    private void advance(long now) {
        if (limit < usual && now - began >= LENGTH) {
            limit = usual;
        }
        while (limit < usual && !awaitsProcess && now - quietSince >= STEP) {
            quietSince += STEP;
            grow();
        }
    }

    private void grow() {
        limit = limit > usual / 2 ? usual : limit * 2;
    }
}
