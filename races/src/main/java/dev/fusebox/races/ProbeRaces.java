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

/// Races of probes: never more than the policy allows, and no place for one is lost.
final class ProbeRaces {
    private ProbeRaces() {}

    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the first call is the probe")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the second call is the probe")
    @Outcome(expect = FORBIDDEN, desc = "two probes, or none")
    @State
    public static class OneProbeAfterCooldown {
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
    @Outcome(id = "2, 0, 2", expect = ACCEPTABLE, desc = "both probes are the first caller's")
    @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "one probe each")
    @Outcome(id = "0, 2, 2", expect = ACCEPTABLE, desc = "both probes are the second caller's")
    @Outcome(expect = FORBIDDEN, desc = "not two probes")
    @State
    public static class TwoProbesAfterCooldown {
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
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the freed place was left for the next call")
    @Outcome(expect = FORBIDDEN, desc = "the freed place is lost, or was granted twice")
    @State
    public static class FreedPlaceIsGranted {
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
    @Outcome(expect = FORBIDDEN, desc = "the place of the expired probe was granted twice, or not at all")
    @State
    public static class PlaceOfExpiredProbeIsGrantedOnce {
        private final Rig rig = Rig.due(HalfOpen.ONE_PROBE);

        public PlaceOfExpiredProbeIsGrantedOnce() {
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
