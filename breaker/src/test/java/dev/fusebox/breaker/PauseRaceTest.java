package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A pause and its end from two threads at once. */
class PauseRaceTest {
    private static final int ROUNDS = 4_000;
    private static final long BOUND_NANOS = 20_000_000_000L;

    private final AtomicInteger met = new AtomicInteger();
    private volatile Permit probe =
            Rig.dueForTests(HalfOpen.ONE_PROBE.withoutExtraCalls()).permit();

    @Test
    void a_pause_that_races_with_its_end_leaves_the_lease_of_a_probe_as_it_was() throws Exception {
        Thread resumer = new Thread(this::resumeEachRound);
        resumer.setDaemon(true);
        resumer.start();
        for (int round = 0; round < ROUNDS; round++) {
            Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE.withoutExtraCalls());
            probe = rig.permit();
            meet();
            probe.pause(Duration.ofDays(365));
            meet();
            probe.resume();
            Duration lease = rig.breaker.policy().lease();
            rig.time.advance(lease.minusNanos(1));
            assertThat(rig.breaker.tryAcquire()).as("before the lease is over").isInstanceOf(Rejection.class);
            rig.time.advanceNanos(1);
            assertThat(rig.breaker.tryAcquire()).as("after the lease is over").isInstanceOf(Permit.class);
        }
        resumer.join(20_000);
        assertThat(resumer.isAlive()).isFalse();
    }

    private void resumeEachRound() {
        for (int round = 0; round < ROUNDS; round++) {
            meet();
            probe.resume();
            meet();
        }
    }

    /** By spinning: threads that are woken start one after the other. */
    private void meet() {
        int number = met.incrementAndGet();
        int all = number + number % 2;
        long begun = System.nanoTime();
        while (met.get() < all) {
            Thread.onSpinWait();
            if (System.nanoTime() - begun > BOUND_NANOS) {
                throw new IllegalStateException("the other thread does not come");
            }
        }
    }
}
