package dev.fusebox.races;

import dev.fusebox.breaker.Admission;
import dev.fusebox.breaker.BreakerEvent;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.Permit;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.Surroundings;
import dev.fusebox.breaker.TripRule;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// A breaker with a manual clock, and the number of transitions and probes that it has announced. Before the race
/// it is used by one thread; during the race it is as thread-safe as the breaker.
final class Rig {
    private static final Duration COOLDOWN = Duration.ofSeconds(1);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
    private static final InstantSource WALL = InstantSource.fixed(Instant.EPOCH);

    private final AtomicInteger announced = new AtomicInteger();
    private final AtomicInteger tests = new AtomicInteger();
    private final AtomicLong now = new AtomicLong();
    final CircuitBreaker breaker;

    /// Without extra probes, which would be allowed when a test moves the time.
    private Rig(int failures, HalfOpen halfOpen) {
        breaker = CircuitBreaker.named("race")
                .policy(new BreakerPolicy(
                        new TripRule.Consecutive(failures),
                        Cooldown.fixed(COOLDOWN),
                        halfOpen.withoutExtraCalls(),
                        CALL_TIMEOUT))
                .surroundings(new Surroundings(
                        now::get, WALL, new SplittableRandom(1), (blocker, nanos) -> Thread.onSpinWait()))
                .build();
        breaker.on(BreakerEvent.StateChange.class, change -> announced.incrementAndGet());
        breaker.on(BreakerEvent.HalfOpenTest.class, test -> tests.incrementAndGet());
    }

    /// A closed breaker that trips after so many consecutive failures.
    static Rig closed(int failures) {
        return new Rig(failures, HalfOpen.ONE_PROBE);
    }

    /// An open breaker whose cooldown is over: the next call will be the probe. One failure trips it when it is
    /// closed.
    static Rig due(HalfOpen halfOpen) {
        Rig rig = new Rig(1, halfOpen);
        rig.trip();
        rig.endCooldown();
        return rig;
    }

    void trip() {
        permit().failed("offline");
    }

    void endCooldown() {
        now.addAndGet(COOLDOWN.toNanos());
    }

    /// Moves the clock to the end of the lease of a probe.
    void endLease() {
        now.addAndGet(breaker.policy().lease().toNanos());
    }

    Permit permit() {
        return (Permit) breaker.tryAcquire();
    }

    /// Whether a call is admitted now.
    boolean admits() {
        return breaker.tryAcquire() instanceof Permit;
    }

    /// The number of two successive calls that are admitted now.
    int admitsOfTwo() {
        return (admits() ? 1 : 0) + (admits() ? 1 : 0);
    }

    static boolean isPermit(Admission admission) {
        return admission instanceof Permit;
    }

    /// Ends a call with a failure, if it was admitted.
    static void fail(Admission admission) {
        if (admission instanceof Permit permit) {
            permit.failed("offline");
        }
    }

    State state() {
        return breaker.state();
    }

    /// Announced transitions; -1 if the breaker has made more or fewer than it announced.
    int announced() {
        int told = announced.get();
        return told == breaker.snapshot().transition() ? told : -1;
    }

    /// The number of calls that were admitted as probes.
    int tests() {
        return tests.get();
    }

    long late() {
        return breaker.snapshot().totals().late();
    }
}
