package dev.fusebox.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.Permit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.LJJ_Result;

/// Races of late results, which change nothing but the count of late results.
final class StaleRaces {
    private StaleRaces() {}

    @JCStressTest
    @Outcome(id = "open, 1", expect = ACCEPTABLE, desc = "it tripped; the success was too late to prevent it")
    @Outcome(id = "closed, 0", expect = ACCEPTABLE, desc = "the success came first and reset the count")
    @Outcome(expect = FORBIDDEN, desc = "a late success undid the trip")
    @State
    public static class LateSuccessDoesNotUndoTrip {
        private final Rig rig = Rig.closed(2);
        private final Permit failing = rig.permit();
        private final Permit passing = rig.permit();

        public LateSuccessDoesNotUndoTrip() {
            rig.trip();
        }

        @Actor
        public void fail() {
            failing.failed("offline");
        }

        @Actor
        public void pass() {
            passing.succeeded();
        }

        @Arbiter
        public void after(LI_Result result) {
            result.r1 = rig.state();
            result.r2 = rig.announced();
        }
    }

    @JCStressTest
    @Outcome(id = "half-open, 1, 1", expect = ACCEPTABLE, desc = "the probe runs, the old failure is late")
    @Outcome(expect = FORBIDDEN, desc = "an old failure ended the probe")
    @State
    public static class LateFailureDoesNotEndProbe {
        private final Rig rig = Rig.closed(1);
        private final Permit old = rig.permit();

        public LateFailureDoesNotEndProbe() {
            rig.trip();
            rig.endCooldown();
        }

        @Actor
        public void test() {
            rig.permit();
        }

        @Actor
        public void fail() {
            old.failed("offline");
        }

        @Arbiter
        public void after(LJJ_Result result) {
            result.r1 = rig.state();
            result.r2 = rig.breaker.snapshot().testsUnderWay();
            result.r3 = rig.late();
        }
    }

    @JCStressTest
    @Outcome(id = "half-open, 1, 1", expect = ACCEPTABLE, desc = "the probe runs, the old success is late")
    @Outcome(expect = FORBIDDEN, desc = "an old success closed the breaker")
    @State
    public static class LateSuccessDoesNotCloseBreaker {
        private final Rig rig = Rig.closed(1);
        private final Permit old = rig.permit();

        public LateSuccessDoesNotCloseBreaker() {
            rig.trip();
            rig.endCooldown();
        }

        @Actor
        public void test() {
            rig.permit();
        }

        @Actor
        public void pass() {
            old.succeeded();
        }

        @Arbiter
        public void after(LJJ_Result result) {
            result.r1 = rig.state();
            result.r2 = rig.breaker.snapshot().testsUnderWay();
            result.r3 = rig.late();
        }
    }

    @JCStressTest
    @Outcome(id = "closed, 0, 1", expect = ACCEPTABLE, desc = "closed with nothing counted, the old failure is late")
    @Outcome(expect = FORBIDDEN, desc = "an old failure counts in the new closed state")
    @State
    public static class LateFailureDoesNotCountAfterClosing {
        private final Rig rig = Rig.closed(1);
        private final Permit old = rig.permit();
        private final Permit test;

        public LateFailureDoesNotCountAfterClosing() {
            rig.trip();
            rig.endCooldown();
            test = rig.permit();
        }

        @Actor
        public void close() {
            test.succeeded();
        }

        @Actor
        public void fail() {
            old.failed("offline");
        }

        @Arbiter
        public void after(LJJ_Result result) {
            result.r1 = rig.state();
            result.r2 = rig.breaker.snapshot().totalCalls();
            result.r3 = rig.late();
        }
    }

    @JCStressTest
    @Outcome(id = "half-open, 2, 1", expect = ACCEPTABLE, desc = "the expired probe ended after its place was taken")
    @Outcome(id = "closed, 1, 0", expect = ACCEPTABLE, desc = "the expired probe ended before its place was taken")
    @Outcome(expect = FORBIDDEN, desc = "a probe that had lost its place changed the state")
    @State
    public static class ExpiredProbeChangesNothing {
        private final Rig rig = Rig.due(HalfOpen.ONE_PROBE);
        private final Permit dead = rig.permit();

        public ExpiredProbeChangesNothing() {
            rig.endLease();
        }

        @Actor
        public void comeBack() {
            dead.succeeded();
        }

        @Actor
        public void takeThePlace() {
            rig.admits();
        }

        @Arbiter
        public void after(LJJ_Result result) {
            result.r1 = rig.state();
            result.r2 = rig.tests();
            result.r3 = rig.late();
        }
    }
}
