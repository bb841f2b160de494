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

/// A result that comes late changes nothing but the count of late results.
final class StaleRaces {
    private StaleRaces() {}

    @JCStressTest
    @Outcome(id = "open, 1", expect = ACCEPTABLE, desc = "it tripped; the success came too late to prevent it")
    @Outcome(id = "closed, 0", expect = ACCEPTABLE, desc = "the success came first and broke the row")
    @Outcome(expect = FORBIDDEN, desc = "a late success undid the trip")
    @State
    public static class ALateSuccessDoesNotUndoATrip {
        private final Rig rig = Rig.closed(2);
        private final Permit failing = rig.permit();
        private final Permit passing = rig.permit();

        public ALateSuccessDoesNotUndoATrip() {
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
    @Outcome(id = "half-open, 1, 1", expect = ACCEPTABLE, desc = "the test runs, the old failure is late")
    @Outcome(expect = FORBIDDEN, desc = "an old failure ended the test")
    @State
    public static class ALateFailureDoesNotMeetATest {
        private final Rig rig = Rig.closed(1);
        private final Permit old = rig.permit();

        public ALateFailureDoesNotMeetATest() {
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
    @Outcome(id = "half-open, 1, 1", expect = ACCEPTABLE, desc = "the test runs, the old success is late")
    @Outcome(expect = FORBIDDEN, desc = "an old success closed the breaker")
    @State
    public static class ALateSuccessDoesNotCloseTheBreaker {
        private final Rig rig = Rig.closed(1);
        private final Permit old = rig.permit();

        public ALateSuccessDoesNotCloseTheBreaker() {
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
    public static class ALateFailureDoesNotCountAfterClosing {
        private final Rig rig = Rig.closed(1);
        private final Permit old = rig.permit();
        private final Permit test;

        public ALateFailureDoesNotCountAfterClosing() {
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
    @Outcome(id = "half-open, 2, 1", expect = ACCEPTABLE, desc = "the dead test came too late for its place")
    @Outcome(id = "closed, 1, 0", expect = ACCEPTABLE, desc = "the dead test came back before its place was taken")
    @Outcome(expect = FORBIDDEN, desc = "a test that had lost its place changed something")
    @State
    public static class ATestWithoutItsPlaceChangesNothing {
        private final Rig rig = Rig.due(HalfOpen.ONE_PROBE);
        private final Permit dead = rig.permit();

        public ATestWithoutItsPlaceChangesNothing() {
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
