package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** However probes end, or do not end: the breaker names a time, and at that time it admits a call. */
class ProbeEndingsTest {
    private static final long ENDINGS = Long.getLong("model.events", 100_000);
    private static final Duration PAUSE = Duration.ofMinutes(7);
    private static final Judge FAULTY = Judge.ofThrowables(thrown -> {
        throw new IllegalStateException("no verdict");
    });

    /** How a probe may end. */
    private enum Ending {
        SUCCEEDED,
        FAILED,
        ABANDONED,
        FAILED_TWICE,
        NEVER,
        PAUSED_FOR_EVER,
        PAUSED_AND_RESUMED,
        THROWN,
        INTERRUPTED,
        NO_TIMER,
        NO_STAGE,
        CANCELLED,
        FORCED_AND_RESET,
        DISABLED_AND_RESET
    }

    @Test
    void after_every_end_of_a_probe_a_later_call_is_admitted() {
        SplittableRandom seeds = new SplittableRandom(7);
        for (long endings = 0; endings < ENDINGS; ) {
            long seed = seeds.nextLong();
            endings += play(seed);
        }
    }

    /** Ends probes in random ways and requests another each time; returns the number of endings. */
    private static int play(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        ManualTime time = new ManualTime(Long.MAX_VALUE - random.nextLong(1_000_000_000_000L));
        time.chance(random.nextDouble());
        CircuitBreaker breaker = CircuitBreaker.named("probed")
                .policy(Script.policy(random).with(new TripRule.Consecutive(1)))
                .judge(random.nextBoolean() ? Judge.defaults() : FAULTY)
                .surroundings(time.surroundings())
                .build();
        ((Permit) breaker.tryAcquire()).failed("bad");
        int endings = 5 + random.nextInt(20);
        for (int i = 0; i < endings; i++) {
            Ending ending = Ending.values()[random.nextInt(Ending.values().length)];
            end(ending, breaker, time);
            if (random.nextInt(3) == 0) {
                assertLetsInAtTheToldTime(breaker, time, "seed " + seed + " after " + ending);
            }
        }
        assertLetsInAtTheToldTime(breaker, time, "seed " + seed);
        return endings;
    }

    private static void assertLetsInAtTheToldTime(CircuitBreaker breaker, ManualTime time, String when) {
        if (breaker.tryAcquire() instanceof Rejection rejection) {
            @Nullable Long millis = rejection.retryAfterMs();
            assertThat(millis).as(when).isNotNull().isBetween(1L, longest(breaker.policy()));
            time.advanceMillis(millis == null ? 0 : millis);
            Admission next = breaker.tryAcquire();
            if (rejection.state() == State.HALF_OPEN && next instanceof Rejection again) {
                // All tests that may be under way are, and none is answered: the end of a lease frees a place.
                assertThat(again.retryAfterMs()).as(when).isEqualTo(1_000);
                time.advanceMillis(longest(breaker.policy()));
                next = breaker.tryAcquire();
            }
            assertThat(next).as(when).isInstanceOf(Permit.class);
        }
    }

    private static long longest(BreakerPolicy policy) {
        double cooldown =
                policy.cooldown().max().toMillis() * (1 + policy.cooldown().jitter());
        Duration leaseAndPause = policy.lease().plus(PAUSE);
        return 1 + Math.max((long) cooldown, leaseAndPause.toMillis());
    }

    private static void end(Ending ending, CircuitBreaker breaker, ManualTime time) {
        switch (ending) {
            case FORCED_AND_RESET -> {
                breaker.forceOpen("repairs");
                breaker.reset();
            }
            case DISABLED_AND_RESET -> {
                breaker.disable();
                breaker.reset();
            }
            case THROWN, INTERRUPTED -> assertThat(thrown(ending, breaker)).isNotNull();
            case NO_TIMER, NO_STAGE, CANCELLED ->
                assertThat(async(ending, breaker)).isCompletedExceptionally();
            default -> {
                if (breaker.tryAcquire() instanceof Permit permit) {
                    endPermit(ending, permit, time);
                }
            }
        }
    }

    private static void endPermit(Ending ending, Permit permit, ManualTime time) {
        switch (ending) {
            case SUCCEEDED -> permit.succeeded();
            case FAILED -> permit.failed("bad");
            case ABANDONED -> permit.close();
            case FAILED_TWICE -> {
                permit.failed("bad");
                permit.failed("bad");
            }
            case PAUSED_FOR_EVER -> permit.pause(PAUSE);
            case PAUSED_AND_RESUMED -> {
                permit.pause(PAUSE);
                time.advanceMillis(1);
                permit.resume();
            }
            default -> time.advanceMillis(1);
        }
    }

    private static @Nullable Exception thrown(Ending ending, CircuitBreaker breaker) {
        try {
            return breaker.call(() -> {
                throw ending == Ending.INTERRUPTED ? new InterruptedException() : new Exception("bad");
            });
        } catch (Exception thrown) {
            return thrown;
        }
    }

    private static CompletableFuture<String> async(Ending ending, CircuitBreaker breaker) {
        if (ending == Ending.NO_TIMER) {
            ByHandTimer timer = new ByHandTimer();
            timer.shutdown();
            return breaker.callAsync(CompletableFuture::new, Duration.ofSeconds(1), timer);
        }
        CompletableFuture<String> answer = breaker.callAsync(() -> {
            if (ending == Ending.NO_STAGE) {
                throw new IllegalStateException("no stage");
            }
            return new CompletableFuture<>();
        });
        answer.cancel(true);
        return answer;
    }
}
