package dev.fusebox.simulation.pipeline;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A reference model of a breaker that counts consecutive failures. Times are relative to the start of the
/// simulation. For the threads of one simulation.
final class BreakerModel {
    private final int threshold;
    private final BreakerPolicy policy;
    private final List<Pass> places = new ArrayList<>();
    private State state = State.CLOSED;
    private long since;
    private long cooldown;
    private int stay;
    private int failures;
    private boolean isLastCrash;
    private int successes;
    private int tripsInARow;
    /// The time of the last answered probe, or of the start of the last one that was alone.
    private long unansweredSince;

    /// The result of a call, as far as it concerns the breaker.
    enum Ending {
        GOOD,
        BAD,
        CRASH,
        SAYS_NOTHING
    }

    /// The permission to make one call.
    static final class Pass {
        private final int stay;
        private final boolean probe;
        private final long leaseEnd;
        private boolean ended;

        private Pass(int stay, boolean probe, long leaseEnd) {
            this.stay = stay;
            this.probe = probe;
            this.leaseEnd = leaseEnd;
        }

        boolean isProbe() {
            return probe;
        }

        boolean hasEnded() {
            return ended;
        }
    }

    BreakerModel(BreakerPolicy policy) {
        this.policy = policy;
        this.threshold = ((TripRule.Consecutive) policy.tripRule()).failureThreshold();
    }

    State state() {
        return state;
    }

    /// Whether the last counted failure was a crash.
    boolean isLastCrash() {
        return isLastCrash;
    }

    /// The number of changes of state so far.
    int stay() {
        return stay;
    }

    int failures() {
        return failures;
    }

    /// The start of the present state.
    long since() {
        return since;
    }

    // ---- Admission

    boolean wouldRefuse(long now) {
        return switch (state) {
            case CLOSED, DISABLED -> false;
            case OPEN -> now - since < cooldown;
            case HALF_OPEN -> isFull(now);
            case FORCED_OPEN -> true;
        };
    }

    private boolean isFull(long now) {
        return places.size() >= capacity(now) && places.stream().allMatch(pass -> now < pass.leaseEnd);
    }

    /// One more for each second without an answer.
    private long capacity(long now) {
        long seconds = (now - unansweredSince) / Duration.ofSeconds(1).toNanos();
        return policy.halfOpen().maxCalls()
                + Math.min(seconds, policy.halfOpen().extraCalls());
    }

    /// Null if the breaker refuses.
    @Nullable
    Pass ask(long now, Duration lease) {
        if (wouldRefuse(now)) {
            return null;
        }
        if (state == State.OPEN) {
            become(State.HALF_OPEN, now);
        }
        Pass pass = new Pass(stay, state == State.HALF_OPEN, now + lease.toNanos());
        if (pass.isProbe()) {
            unansweredSince = places.isEmpty() ? now : unansweredSince;
            if (places.size() >= capacity(now)) {
                places.stream()
                        .min(Comparator.comparingLong(held -> held.leaseEnd))
                        .ifPresent(places::remove);
            }
            places.add(pass);
        }
        return pass;
    }

    /// Whether a call with this permission may be retried.
    boolean allowsRetry(Pass pass) {
        return state == State.CLOSED
                || (state == State.HALF_OPEN && pass.isProbe() && !pass.ended && pass.stay == stay);
    }

    // ---- Settling

    void end(Pass pass, Ending ending, long now) {
        if (pass.ended) {
            return;
        }
        pass.ended = true;
        boolean isLate = pass.stay != stay || (pass.isProbe() && !places.remove(pass));
        if (isLate) {
            return;
        }
        switch (ending) {
            case GOOD -> good(now);
            case BAD, CRASH -> {
                isLastCrash = ending == Ending.CRASH;
                bad(now);
            }
            case SAYS_NOTHING -> {}
        }
    }

    /// A failure that was seen outside of any call.
    void saw(long now) {
        saw(Ending.BAD, now);
    }

    void saw(Ending ending, long now) {
        if (state != State.OPEN) {
            Pass pass = ask(now, Duration.ofNanos(1));
            if (pass != null) {
                end(pass, ending, now);
            }
        }
    }

    private void good(long now) {
        failures = 0;
        successes++;
        unansweredSince = now;
        if (state == State.HALF_OPEN && successes >= policy.halfOpen().successesToClose()) {
            become(State.CLOSED, now);
        }
    }

    private void bad(long now) {
        failures++;
        if (state == State.HALF_OPEN || failures >= threshold) {
            boolean isCalm = state == State.CLOSED
                    && now - since >= policy.cooldown().max().toNanos();
            tripsInARow = isCalm ? 1 : tripsInARow + 1;
            become(State.OPEN, now);
        }
    }

    private void become(State next, long now) {
        state = next;
        since = now;
        stay++;
        failures = 0;
        successes = 0;
        places.clear();
        cooldown = policy.cooldown().base().toNanos();
        for (int trip = 1; trip < tripsInARow; trip++) {
            cooldown *= (long) policy.cooldown().growth();
            cooldown = Math.min(cooldown, policy.cooldown().max().toNanos());
        }
    }
}
