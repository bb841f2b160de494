package dev.fusebox.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.fusebox.breaker.Counts;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.Permit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJJ_Result;
import org.openjdk.jcstress.infra.results.ZZL_Result;

/// Races at a permit: it ends once, whichever thread ends it.
final class PermitRaces {
    private PermitRaces() {}

    @JCStressTest
    @Outcome(id = "true, false, 0 of 1 failed", expect = ACCEPTABLE, desc = "it succeeded")
    @Outcome(id = "false, true, 1 of 1 failed", expect = ACCEPTABLE, desc = "it failed")
    @Outcome(expect = FORBIDDEN, desc = "it ended twice, or not at all, or was counted differently")
    @State
    public static class TwoEndings {
        private final Rig rig = Rig.closed(5);
        private final Permit permit = rig.permit();

        @Actor
        public void pass(ZZL_Result result) {
            result.r1 = permit.succeeded();
        }

        @Actor
        public void fail(ZZL_Result result) {
            result.r2 = permit.failed("offline");
        }

        @Arbiter
        public void after(ZZL_Result result) {
            Counts counts = rig.breaker.snapshot().counts();
            result.r3 = counts.failures() + " of " + counts.totalCalls() + " failed";
        }
    }

    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "it succeeded, and the close was too late")
    @Outcome(id = "false, 0, 1", expect = ACCEPTABLE, desc = "the close abandoned it")
    @Outcome(expect = FORBIDDEN, desc = "it ended twice, or not at all")
    @State
    public static class CloseAndSuccess {
        private final Rig rig = Rig.closed(5);
        private final Permit permit = rig.permit();

        @Actor
        public void pass(ZJJ_Result result) {
            result.r1 = permit.succeeded();
        }

        @Actor
        public void close() {
            permit.close();
        }

        @Arbiter
        public void after(ZJJ_Result result) {
            result.r2 = rig.breaker.snapshot().totalCalls();
            result.r3 = rig.breaker.snapshot().totals().abandoned();
        }
    }

    @JCStressTest
    @Outcome(id = "true, false, closed", expect = ACCEPTABLE, desc = "the probe succeeded")
    @Outcome(id = "false, true, open", expect = ACCEPTABLE, desc = "the probe failed")
    @Outcome(expect = FORBIDDEN, desc = "the probe ended twice, or not at all, or with a wrong result")
    @State
    public static class TwoEndingsOfAProbe {
        private final Rig rig = Rig.due(HalfOpen.ONE_PROBE);
        private final Permit test = rig.permit();

        @Actor
        public void pass(ZZL_Result result) {
            result.r1 = test.succeeded();
        }

        @Actor
        public void fail(ZZL_Result result) {
            result.r2 = test.failed("offline");
        }

        @Arbiter
        public void after(ZZL_Result result) {
            result.r3 = rig.state();
        }
    }
}
