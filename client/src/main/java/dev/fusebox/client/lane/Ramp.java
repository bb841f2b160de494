package dev.fusebox.client.lane;

import java.time.Duration;

/// How many calls may be inside after an outage: four, and twice as many with each one that is answered and after every
/// 250 ms without a failure; after two seconds there is no limit but the usual one. Calls from before the outage do not
/// count, and calls that hang delay the others by those two seconds at most. Not thread-safe.
final class Ramp {
    private static final int FIRST_CALLS = 4;
    private static final long STEP = Duration.ofMillis(250).toNanos();
    private static final long LENGTH = Duration.ofSeconds(2).toNanos();

    private final int usual;
    private int limit;
    private int inside;
    private long restarts;
    private long began;
    /// When the limit last grew by time, or a call failed.
    private long quietSince;

    Ramp(int usual) {
        this.usual = usual;
        this.limit = usual;
    }

    /// @param now by the monotonic clock, here and below
    void restart(long now) {
        limit = Math.min(FIRST_CALLS, usual);
        inside = 0;
        restarts++;
        began = now;
        quietSince = now;
    }

    boolean hasRoom(long now) {
        int most = limit(now);
        return most >= usual || inside < most;
    }

    /// A call goes in; the answer is handed to [#leave].
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

    /// How long until the limit grows by itself; 0 if it does not.
    long untilGrowth(long now) {
        advance(now);
        return limit >= usual ? 0 : Math.min(quietSince + STEP - now, began + LENGTH - now);
    }

    private void advance(long now) {
        if (limit < usual && now - began >= LENGTH) {
            limit = usual;
        }
        while (limit < usual && now - quietSince >= STEP) {
            quietSince += STEP;
            grow();
        }
    }

    private void grow() {
        limit = limit > usual / 2 ? usual : limit * 2;
    }
}
