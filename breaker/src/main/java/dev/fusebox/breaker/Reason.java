package dev.fusebox.breaker;

import java.time.Duration;

/** The reason of a state change. Prints as a phrase for people. Immutable. */
public sealed interface Reason {

    /** The failure threshold was reached, in a row or in the window. */
    record ThresholdReached(long failures) implements Reason {
        @Override
        public String toString() {
            return "failure threshold reached: " + failures + (failures == 1 ? " failure" : " failures");
        }
    }

    /** Too large a share of the calls in the window failed. */
    record FailureRateReached(double rate, long calls) implements Reason {
        @Override
        public String toString() {
            return "failure rate reached: " + percent(rate) + " of " + calls + " calls";
        }
    }

    /** Too large a share of the calls in the window was slow. */
    record SlowCallRateReached(double rate, long calls) implements Reason {
        @Override
        public String toString() {
            return "slow call rate reached: " + percent(rate) + " of " + calls + " calls";
        }
    }

    /** The cooldown is over, and a call became the probe. */
    record CooldownOver(Duration cooldown) implements Reason {
        @Override
        public String toString() {
            return "cooldown of " + cooldown.toMillis() + " ms over";
        }
    }

    /** Enough probes succeeded. */
    record TestPassed(int successes) implements Reason {
        @Override
        public String toString() {
            return "test passed: " + successes + (successes == 1 ? " success" : " successes");
        }
    }

    /** A probe failed. */
    record TestFailed(Failure failure) implements Reason {
        @Override
        public String toString() {
            return "test failed: " + failure;
        }
    }

    /** An operator forced the breaker open. */
    record Forced(String text) implements Reason {
        @Override
        public String toString() {
            return "forced open: " + text;
        }
    }

    /** An operator disabled the breaker. */
    record Disabled() implements Reason {
        @Override
        public String toString() {
            return "disabled";
        }
    }

    /** An operator closed the breaker and cleared its history. */
    record Reset() implements Reason {
        @Override
        public String toString() {
            return "reset";
        }
    }

    private static String percent(double share) {
        return Math.round(share * 100) + " %";
    }
}
