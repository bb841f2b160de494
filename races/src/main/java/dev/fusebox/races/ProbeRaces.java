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
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Never more test calls than the policy allows, and no place for one is lost.
final class ProbeRaces {
    private ProbeRaces() {}

    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the first is the test")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the second is the test")
    @Outcome(expect = FORBIDDEN, desc = "two tests, or none")
    @State
    public static class OneTestAfterTheCooldown {
        private final Rig rig = Rig.due(HalfOpen.ONE_PROBE);

        @Actor
        public void one(ZZ_Result result) {
            result.r1 = rig.admits();
        }

        @Actor
        public void other(ZZ_Result result) {
            result.r2 = rig.admits();
        }
    }

    @JCStressTest
    @Outcome(id = "2, 0, 2", expect = ACCEPTABLE, desc = "both tests are the first caller's")
    @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "one test each")
    @Outcome(id = "0, 2, 2", expect = ACCEPTABLE, desc = "both tests are the second caller's")
    @Outcome(expect = FORBIDDEN, desc = "not two tests")
    @State
    public static class TwoTestsAfterTheCooldown {
        private final Rig rig = Rig.due(new HalfOpen(2, 2));

        @Actor
        public void one(III_Result result) {
            result.r1 = rig.admitsOfTwo();
        }

        @Actor
        public void other(III_Result result) {
            result.r2 = rig.admitsOfTwo();
        }

        @Arbiter
        public void after(III_Result result) {
            result.r3 = rig.breaker.snapshot().testsUnderWay();
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the freed place was taken at once")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the freed place was there for the next")
    @Outcome(expect = FORBIDDEN, desc = "the freed place is lost, or was given twice")
    @State
    public static class AFreedPlaceIsThere {
        private final Rig rig = Rig.due(HalfOpen.ONE_PROBE);
        private final Permit test = rig.permit();

        @Actor
        public void leave() {
            test.abandoned();
        }

        @Actor
        public void enter(II_Result result) {
            result.r1 = rig.admits() ? 1 : 0;
        }

        @Arbiter
        public void after(II_Result result) {
            result.r2 = rig.admits() ? 1 : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the first took the place")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the second took the place")
    @Outcome(expect = FORBIDDEN, desc = "the place of the dead test was given twice, or not at all")
    @State
    public static class ThePlaceOfADeadTestIsGivenOnce {
        private final Rig rig = Rig.due(HalfOpen.ONE_PROBE);

        public ThePlaceOfADeadTestIsGivenOnce() {
            rig.permit();
            rig.endLease();
        }

        @Actor
        public void one(ZZ_Result result) {
            result.r1 = rig.admits();
        }

        @Actor
        public void other(ZZ_Result result) {
            result.r2 = rig.admits();
        }
    }
}
