package dev.fusebox.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.platform.PeerUsers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Processes;
import dev.fusebox.platform.Ticker;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/// Races at a fair bulkhead: no place is lost on the way to a call that has just given up, and a restart forgets
/// no waiter.
final class FairBulkheadRaces {
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final Duration LONG = Duration.ofDays(1);

    private FairBulkheadRaces() {}

    /// A platform whose waits never block, and every read of its clock advances it by a millisecond.
    private static Platform withoutBlocking() {
        AtomicLong now = new AtomicLong();
        Ticker ticker = () -> now.getAndAdd(1_000_000);
        Timers timers = new Timers() {
            @Override
            public void park(long nanos) {
                Thread.onSpinWait();
            }

            @Override
            public Timer schedule(Duration delay, Runnable action) {
                throw new UnsupportedOperationException("scheduling is not expected");
            }
        };
        InstantSource wall = InstantSource.fixed(Instant.EPOCH);
        return new Platform(
                ticker, wall, new SplittableRandom(1), timers, Map.of(), Processes.none(), PeerUsers.unknown());
    }

    private static FairBulkhead bulkhead(int atOnce, Platform platform) {
        return new FairBulkhead(new FairBulkhead.Limits(atOnce, 2, 100), platform);
    }

    private static FairBulkhead.Entry enter(FairBulkhead bulkhead, Object client, Deadline deadline) {
        try {
            return bulkhead.enter(client, 1, deadline);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static Deadline deadline(Platform platform, Duration work) {
        return new Deadline(work, Duration.ZERO, platform.ticker());
    }

    private static FairBulkhead.Slot slotIn(FairBulkhead bulkhead, Platform platform) {
        return (FairBulkhead.Slot) enter(bulkhead, "before", deadline(platform, LONG));
    }

    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "the place was granted in time")
    @Outcome(id = "false, 0, 0", expect = ACCEPTABLE, desc = "the wait timed out first, and the place is free")
    @Outcome(expect = FORBIDDEN, desc = "the place is lost, or a waiter is left")
    @State
    public static class GrantAndTimeout {
        private final Platform platform = withoutBlocking();
        private final FairBulkhead bulkhead = bulkhead(1, platform);
        private final FairBulkhead.Slot held = slotIn(bulkhead, platform);

        @Actor
        public void leave() {
            held.close();
        }

        @Actor
        public void enter(ZII_Result result) {
            result.r1 = FairBulkheadRaces.enter(bulkhead, "a", deadline(platform, SHORT)) instanceof FairBulkhead.Slot;
        }

        @Arbiter
        public void after(ZII_Result result) {
            result.r2 = bulkhead.inFlight();
            result.r3 = bulkhead.waiting();
        }
    }

    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "it entered after the restart, or the restart admitted it")
    @Outcome(expect = FORBIDDEN, desc = "the waiter was forgotten, or a place is lost")
    @State
    public static class RestartAndWait {
        private final Platform platform = withoutBlocking();
        private final FairBulkhead bulkhead = bulkhead(2, platform);

        public RestartAndWait() {
            bulkhead.restartSlowly();
            slotIn(bulkhead, platform);
        }

        @Actor
        public void restart() {
            bulkhead.restartSlowly();
        }

        @Actor
        public void enter(ZII_Result result) {
            if (FairBulkheadRaces.enter(bulkhead, "a", deadline(platform, LONG)) instanceof FairBulkhead.Slot slot) {
                result.r1 = true;
                slot.close();
            }
        }

        @Arbiter
        public void after(ZII_Result result) {
            result.r2 = bulkhead.inFlight();
            result.r3 = bulkhead.waiting();
        }
    }
}
