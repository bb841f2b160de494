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

/// Never more callers inside than allowed, and no slot is lost on the way to a caller who has just given up.
final class BulkheadRaces {
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final InstantSource WALL = InstantSource.fixed(Instant.EPOCH);

    private BulkheadRaces() {}

    /// Waiting never blocks, and every look at the clock moves it by a millisecond: a short wait ends after a few
    /// looks.
    private static Bulkhead impatient(int atOnce) {
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
        } catch (InterruptedException nobodyInterrupts) {
            throw new IllegalStateException(nobodyInterrupts);
        }
    }

    private static Bulkhead.Slot slotOf(Bulkhead bulkhead) {
        return (Bulkhead.Slot) bulkhead.tryEnter();
    }

    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "the slot came in time")
    @Outcome(id = "false, 0, 0", expect = ACCEPTABLE, desc = "the time was over first, and the slot is free")
    @Outcome(expect = FORBIDDEN, desc = "the slot is lost, or somebody still waits")
    @State
    public static class AGrantMeetsATimeout {
        private final Bulkhead bulkhead = impatient(1);
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
    @Outcome(id = "[01], [01], 0", expect = ACCEPTABLE, desc = "whoever came in was alone, and left")
    @Outcome(expect = FORBIDDEN, desc = "two were inside, or one is there for ever")
    @State
    public static class OneAtATime {
        private final Bulkhead bulkhead = impatient(1);
        private final AtomicInteger inside = new AtomicInteger();

        @Actor
        public void one(III_Result result) {
            result.r1 = visit();
        }

        @Actor
        public void other(III_Result result) {
            result.r2 = visit();
        }

        /// So many were inside with us, ourselves included; 0 if we did not come in.
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
    @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "one slot came free, and one caller got it")
    @Outcome(expect = FORBIDDEN, desc = "a slot that was given back twice let two in, or none")
    @State
    public static class ASlotIsGivenBackOnce {
        private final Bulkhead bulkhead = impatient(2);
        private final Bulkhead.Slot held = slotOf(bulkhead);

        public ASlotIsGivenBackOnce() {
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
