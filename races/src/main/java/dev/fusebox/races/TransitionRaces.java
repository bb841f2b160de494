package dev.fusebox.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.fusebox.breaker.Admission;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.Permit;
import dev.fusebox.breaker.Rejection;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LIJ_Result;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.LZI_Result;

/// Races of transitions: each happens once and is announced once.
final class TransitionRaces {
    private TransitionRaces() {}

    @JCStressTest
    @Outcome(id = "open, 1, 1", expect = ACCEPTABLE, desc = "both failures were counted, and together they tripped")
    @Outcome(expect = FORBIDDEN, desc = "a failure was lost, or the trip was not announced exactly once")
    @State
    public static class TwoFailuresTripTogether {
        private final Rig rig = Rig.closed(2);
        private final Permit one = rig.permit();
        private final Permit other = rig.permit();

        @Actor
        public void fail() {
            one.failed("offline");
        }

        @Actor
        public void failToo() {
            other.failed("offline");
        }

        @Arbiter
        public void after(LIJ_Result result) {
            result.r1 = rig.state();
            result.r2 = rig.announced();
            result.r3 = rig.breaker.snapshot().totals().trips();
        }
    }

    @JCStressTest
    @Outcome(id = "open, 1, 1", expect = ACCEPTABLE, desc = "one trip, announced once")
    @Outcome(expect = FORBIDDEN, desc = "no trip, or two, or one that was not announced exactly once")
    @State
    public static class TwoFailuresAtTheThreshold {
        private final Rig rig = Rig.closed(2);
        private final Permit one = rig.permit();
        private final Permit other = rig.permit();

        /// The count is one below the threshold, and two failures follow.
        public TwoFailuresAtTheThreshold() {
            rig.trip();
        }

        @Actor
        public void fail() {
            one.failed("offline");
        }

        @Actor
        public void failToo() {
            other.failed("offline");
        }

        @Arbiter
        public void after(LIJ_Result result) {
            result.r1 = rig.state();
            result.r2 = rig.announced();
            result.r3 = rig.breaker.snapshot().totals().trips();
        }
    }

    @JCStressTest
    @Outcome(id = "closed, 3, 1", expect = ACCEPTABLE, desc = "the success came first, the failure is late")
    @Outcome(id = "open, 3, 1", expect = ACCEPTABLE, desc = "the failure came first, the success is late")
    @Outcome(expect = FORBIDDEN, desc = "both probes changed the state, or neither did")
    @State
    public static class TwoProbesEnd {
        private final Rig rig = Rig.due(new HalfOpen(2, 1));
        private final Permit passing = rig.permit();
        private final Permit failing = rig.permit();

        @Actor
        public void pass() {
            passing.succeeded();
        }

        @Actor
        public void fail() {
            failing.failed("offline");
        }

        @Arbiter
        public void after(LIJ_Result result) {
            result.r1 = rig.state();
            result.r2 = rig.announced();
            result.r3 = rig.late();
        }
    }

    @JCStressTest
    @Outcome(id = "closed, 3", expect = ACCEPTABLE, desc = "both successes were counted, and together they closed")
    @Outcome(expect = FORBIDDEN, desc = "a success was lost, or closing was not announced exactly once")
    @State
    public static class TwoSuccessesCloseTogether {
        private final Rig rig = Rig.due(new HalfOpen(2, 2));
        private final Permit one = rig.permit();
        private final Permit other = rig.permit();

        @Actor
        public void pass() {
            one.succeeded();
        }

        @Actor
        public void passToo() {
            other.succeeded();
        }

        @Arbiter
        public void after(LI_Result result) {
            result.r1 = rig.state();
            result.r2 = rig.announced();
        }
    }

    @JCStressTest
    @Outcome(id = "closed, 0", expect = ACCEPTABLE, desc = "reset first: the failure is late")
    @Outcome(id = "closed, 2", expect = ACCEPTABLE, desc = "a trip, and then its reset")
    @Outcome(expect = FORBIDDEN, desc = "the reset was lost, or a transition was not announced exactly once")
    @State
    public static class ResetAndTrip {
        private final Rig rig = Rig.closed(1);
        private final Permit failing = rig.permit();

        @Actor
        public void fail() {
            failing.failed("offline");
        }

        @Actor
        public void reset() {
            rig.breaker.reset();
        }

        @Arbiter
        public void after(LI_Result result) {
            result.r1 = rig.state();
            result.r2 = rig.announced();
        }
    }

    @JCStressTest
    @Outcome(id = "closed, true, 2", expect = ACCEPTABLE, desc = "reset first: the call is a normal one")
    @Outcome(id = "closed, true, 3", expect = ACCEPTABLE, desc = "the call was a probe, and then came the reset")
    @Outcome(expect = FORBIDDEN, desc = "the reset was lost, or a transition was not announced exactly once")
    @State
    public static class ResetAndAdmission {
        private final Rig rig = Rig.due(HalfOpen.ONE_PROBE);

        @Actor
        public void enter(LZI_Result result) {
            result.r2 = rig.admits();
        }

        @Actor
        public void reset() {
            rig.breaker.reset();
        }

        @Arbiter
        public void after(LZI_Result result) {
            result.r1 = rig.state();
            result.r3 = rig.announced();
        }
    }

    @JCStressTest
    @Outcome(id = "forced-open, true, 3", expect = ACCEPTABLE, desc = "the probe was admitted before")
    @Outcome(id = "forced-open, false, 2", expect = ACCEPTABLE, desc = "the call came after")
    @Outcome(expect = FORBIDDEN, desc = "the breaker was not forced open, or a call ended the override")
    @State
    public static class ForceOpenAndAdmission {
        private final Rig rig = Rig.due(HalfOpen.ONE_PROBE);
        private @Nullable Admission admission;

        @Actor
        public void enter() {
            admission = rig.breaker.tryAcquire();
        }

        @Actor
        public void force() {
            rig.breaker.forceOpen("maintenance");
        }

        @Arbiter
        public void after(LZI_Result result) {
            result.r2 = admission instanceof Permit permit && permit.succeeded();
            boolean refuses = rig.breaker.tryAcquire() instanceof Rejection;
            result.r1 = refuses ? rig.state() : "open to calls";
            result.r3 = rig.announced();
        }
    }
}
