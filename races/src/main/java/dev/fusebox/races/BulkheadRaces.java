package dev.fusebox.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.fusebox.breaker.Bulkhead;
import dev.fusebox.breaker.Surroundings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;

/// Races at a bulkhead: never more callers inside than allowed, and no slot is lost on the way to a caller that
/// has just given up.
final class BulkheadRaces {
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final InstantSource WALL = InstantSource.fixed(Instant.EPOCH);

    private BulkheadRaces() {}

    /// A bulkhead whose waits never block, and every read of its clock advances it by a millisecond: a short wait
    /// ends after a few reads.
    private static Bulkhead withoutBlocking(int atOnce) {
        AtomicLong now = new AtomicLong();
        return new Bulkhead(
                atOnce,
                2,
                new Surroundings(
                        () -> now.getAndAdd(1_000_000),
                        WALL,
                        new SplittableRandom(1),
                        (blocker, nanos) -> Thread.onSpinWait()));
    }

    /// Waits for a short time.
    private static Bulkhead.Entry enterSoon(Bulkhead bulkhead) {
        try {
            return bulkhead.enter(SHORT);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static Bulkhead.Slot slotOf(Bulkhead bulkhead) {
        return (Bulkhead.Slot) bulkhead.tryEnter();
    }

    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "the slot was granted in time")
    @Outcome(id = "false, 0, 0", expect = ACCEPTABLE, desc = "the wait timed out first, and the slot is free")
    @Outcome(expect = FORBIDDEN, desc = "the slot is lost, or a waiter is left")
    @State
    public static class GrantAndTimeout {
        private final Bulkhead bulkhead = withoutBlocking(1);
        private final Bulkhead.Slot held = slotOf(bulkhead);

        @Actor
        public void leave() {
            held.close();
        }

        @Actor
        public void enter(ZII_Result result) {
            result.r1 = enterSoon(bulkhead) instanceof Bulkhead.Slot;
        }

        @Arbiter
        public void after(ZII_Result result) {
            result.r2 = bulkhead.inside();
            result.r3 = bulkhead.waiting();
        }
    }

    @JCStressTest
    @Outcome(id = "[01], [01], 0", expect = ACCEPTABLE, desc = "every admitted caller was alone, and left")
    @Outcome(expect = FORBIDDEN, desc = "two were inside, or one is counted as inside for ever")
    @State
    public static class TwoEntriesWithOneSlot {
        private final Bulkhead bulkhead = withoutBlocking(1);
        private final AtomicInteger inside = new AtomicInteger();

        @Actor
        public void one(III_Result result) {
            result.r1 = visit();
        }

        @Actor
        public void other(III_Result result) {
            result.r2 = visit();
        }

        /// The number of callers inside, including this one; 0 if this one was refused.
        private int visit() {
            if (enterSoon(bulkhead) instanceof Bulkhead.Slot slot) {
                try (slot) {
                    int together = inside.incrementAndGet();
                    inside.decrementAndGet();
                    return together;
                }
            }
            return 0;
        }

        @Arbiter
        public void after(III_Result result) {
            result.r3 = bulkhead.inside();
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "one slot was released, and one caller got it")
    @Outcome(expect = FORBIDDEN, desc = "a slot that was released twice admitted two callers, or none")
    @State
    public static class TwoReleasesOfOneSlot {
        private final Bulkhead bulkhead = withoutBlocking(2);
        private final Bulkhead.Slot held = slotOf(bulkhead);

        public TwoReleasesOfOneSlot() {
            bulkhead.tryEnter();
        }

        @Actor
        public void leave() {
            held.close();
        }

        @Actor
        public void leaveToo() {
            held.close();
        }

        @Arbiter
        public void after(III_Result result) {
            result.r1 = bulkhead.inside();
            result.r2 = bulkhead.tryEnter() instanceof Bulkhead.Slot ? 1 : 0;
            result.r3 = bulkhead.tryEnter() instanceof Bulkhead.Slot ? 1 : 0;
        }
    }
}
