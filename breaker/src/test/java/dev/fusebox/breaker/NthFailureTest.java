package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * A breaker trips on exactly the n-th failure in a row that counts.
 *
 * <p>The long form, with a million histories: {@code -Dmodel.events=2000000}.
 */
class NthFailureTest {
    private static final long HISTORIES = Long.getLong("model.events", 100_000) / 2;

    @Test
    void four_failures_an_answer_and_four_failures_leave_it_closed_and_a_fifth_opens_it() {
        Rig rig = Rig.consecutive(5);
        rig.fail(4);
        rig.succeed(1);
        rig.fail(4);
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        rig.fail(1);
        assertThat(rig.state()).isEqualTo(State.OPEN);
    }

    @Test
    void nth_countable_failure_in_a_row_trips_regardless_of_other_events() {
        SplittableRandom seeds = new SplittableRandom(5);
        for (long i = 0; i < HISTORIES; i++) {
            long seed = seeds.nextLong();
            assertThat(failuresUntilTrip(seed)).as("seed %d", seed).isTrue();
        }
    }

    /** Whether the breaker tripped on the failure on which it had to, and not before. */
    private static boolean failuresUntilTrip(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        int threshold = 1 + random.nextInt(8);
        ManualTime time = new ManualTime(random.nextLong());
        CircuitBreaker breaker = CircuitBreaker.named("counted")
                .policy(Rig.policy(threshold))
                .surroundings(time.surroundings())
                .build();
        Permit stale = (Permit) breaker.tryAcquire();
        breaker.reset();
        int inARow = 0;
        while (inARow < threshold && breaker.state() == State.CLOSED) {
            inARow = step(random, breaker, inARow);
            time.advanceNanos(random.nextLong(1_000_000_000_000L));
        }
        stale.succeeded();
        return inARow == threshold && breaker.state() == State.OPEN;
    }

    private static int step(RandomGenerator random, CircuitBreaker breaker, int inARow) {
        Permit permit = (Permit) breaker.tryAcquire();
        switch (random.nextInt(8)) {
            case 0 -> {
                permit.succeeded();
                return 0;
            }
            case 1 -> permit.abandoned();
            case 2 -> {
                permit.abandoned();
                permit.failed("twice");
            }
            case 3 -> breaker.snapshot();
            default -> {
                permit.failed("bad");
                permit.failed("twice");
                return inARow + 1;
            }
        }
        return inARow;
    }
}
