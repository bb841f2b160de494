package dev.fusebox.testkit;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Waits in real time, for milliseconds.
class EventuallyTest {
    private static final Duration SHORT = Duration.ofMillis(30);

    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void a_condition_that_holds_is_looked_at_once() {
        eventually("the first look is enough", () -> looks.incrementAndGet() > 0);
        assertThat(looks).hasValue(1);
    }

    @Test
    void a_condition_is_looked_at_until_it_holds() {
        eventually("there are three looks", () -> looks.incrementAndGet() == 3);
        assertThat(looks).hasValue(3);
    }

    @Test
    void an_assertion_is_repeated_until_it_passes() {
        eventually(
                "there are three looks",
                () -> assertThat(looks.incrementAndGet()).isEqualTo(3));
        assertThat(looks).hasValue(3);
    }

    @Test
    void a_condition_that_never_holds_fails_with_its_description_and_limit() {
        assertThatThrownBy(() -> eventually("the tool is listed", SHORT, () -> false))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("not within 30 ms: the tool is listed", "the condition is false");
        assertThatThrownBy(() -> eventually("the tool is listed", Duration.ZERO, () -> false))
                .hasMessageContaining("not within 0 s");
    }

    @Test
    void an_assertion_that_never_passes_fails_with_its_last_state() {
        assertThatThrownBy(() -> eventually(
                        "five tools are listed", SHORT, () -> assertThat(4).isEqualTo(5)))
                .hasMessageContainingAll("five tools are listed", "expected: 5", "but was: 4")
                .hasRootCauseMessage("\nexpected: 5\n but was: 4");
    }

    @Test
    void what_an_assertion_throws_is_a_failure_that_may_pass() {
        eventually("the list is whole", () -> {
            if (looks.incrementAndGet() < 3) {
                throw new ConcurrentModificationException("still written");
            }
        });
        assertThat(looks).hasValue(3);
    }

    @Test
    void what_a_condition_throws_ends_the_wait() {
        assertThatThrownBy(() -> eventually("the server answers", () -> fails()))
                .isInstanceOf(IllegalStateException.class);
        assertThat(looks).hasValue(1);
    }

    @Test
    void a_condition_that_holds_throughout_is_looked_at_until_the_end() {
        throughout("the server is running", SHORT, () -> looks.incrementAndGet() > 0);
        throughout(
                "the server is running",
                SHORT,
                () -> assertThat(looks.incrementAndGet()).isPositive());
        assertThat(looks).hasValueGreaterThan(2);
    }

    @Test
    void a_condition_that_ceases_to_hold_fails_at_once() {
        Duration forever = Duration.ofMinutes(10);
        assertThatThrownBy(() -> throughout("the server is running", forever, () -> looks.incrementAndGet() < 3))
                .hasMessageContainingAll("not for 600 s: the server is running; ended after");
        assertThatThrownBy(() -> throughout(
                        "two servers run", forever, () -> assertThat(looks).hasValueLessThan(3)))
                .hasMessageContainingAll("two servers run", "Expecting");
    }

    @Test
    void an_interrupt_ends_the_wait_and_stays() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> eventually("the tool is listed", () -> false))
                .hasMessage("interrupted while waiting: the tool is listed");
        assertThat(Thread.interrupted()).isTrue();
    }

    private boolean fails() {
        throw new IllegalStateException("server is gone after " + looks.incrementAndGet() + " looks");
    }
}
