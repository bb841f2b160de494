package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SharedRefusalTest {
    private static final long MILLISECOND = 1_000_000;

    private final AtomicLong now = new AtomicLong();
    private final CircuitBreaker breaker = CircuitBreaker.named("jira")
            .policy(BreakerPolicy.defaults()
                    .with(new TripRule.Consecutive(1))
                    .with(Cooldown.fixed(Duration.ofMillis(10))))
            .surroundings(new Surroundings(
                    now::get, InstantSource.system(), RandomGenerator.getDefault(), (blocker, nanos) -> {}))
            .build();

    @Test
    void refusals_of_one_millisecond_are_one_object_and_all_of_them_are_counted() {
        trip();
        Admission first = breaker.tryAcquire();
        now.addAndGet(MILLISECOND - 1);
        assertThat(breaker.tryAcquire()).isSameAs(first);
        assertThat(breaker.snapshot().totals().refusals()).isEqualTo(2);
    }

    @Test
    void each_millisecond_has_its_own_retry_time() {
        trip();
        assertThat(refusal().retryAfterMs()).isEqualTo(10);
        now.addAndGet(MILLISECOND);
        assertThat(refusal().retryAfterMs()).isEqualTo(9);
        now.addAndGet(9 * MILLISECOND - 1);
        assertThat(refusal().retryAfterMs()).isEqualTo(1);
    }

    @Test
    void another_stay_in_the_same_state_has_its_own_refusals() {
        trip();
        Rejection first = refusal();
        breaker.reset();
        trip();
        assertThat(refusal()).isNotSameAs(first);
    }

    private void trip() {
        ((Permit) breaker.tryAcquire()).failed("offline");
    }

    private Rejection refusal() {
        return (Rejection) breaker.tryAcquire();
    }
}
