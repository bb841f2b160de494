package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Whose interruption it is when the time of a call is over. */
class TimedInterruptionTest {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final ByHandTimer timer = new ByHandTimer();

    @Test
    void an_interruption_that_came_before_the_time_was_over_is_kept_for_the_caller() {
        Rig rig = Rig.consecutive(1);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> rig.breaker.call(this::ringAndIgnore, LIMIT, timer))
                .isInstanceOf(TimeoutException.class);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void an_outer_call_whose_time_is_over_stays_interrupted_when_an_inner_one_ends_too() {
        Rig rig = Rig.consecutive(9);
        ByHandTimer inner = new ByHandTimer();
        AtomicBoolean stillInterrupted = new AtomicBoolean();

        assertThatThrownBy(() -> rig.breaker.call(
                        () -> {
                            assertThatThrownBy(() -> rig.breaker.call(
                                            () -> {
                                                timer.ring();
                                                inner.ring();
                                                return "late";
                                            },
                                            LIMIT,
                                            inner))
                                    .isInstanceOf(TimeoutException.class);
                            stillInterrupted.set(Thread.currentThread().isInterrupted());
                            return "late as well";
                        },
                        LIMIT,
                        timer))
                .isInstanceOf(TimeoutException.class);

        assertThat(stillInterrupted).isTrue();
        assertThat(Thread.interrupted()).isFalse();
    }

    private String ringAndIgnore() {
        timer.ring();
        return "late";
    }
}
