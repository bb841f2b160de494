package dev.fusebox.testkit;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Tests that wait in real time, for milliseconds.
class EventuallyTest {
    private static final Duration SHORT = Duration.ofMillis(30);

    private final AtomicInteger checks = new AtomicInteger();

    @Test
    void true_condition_is_checked_once() {
        eventually("the first check is enough", () -> checks.incrementAndGet() > 0);
        assertThat(checks).hasValue(1);
    }

    @Test
    void condition_is_checked_until_it_holds() {
        eventually("there are three checks", () -> checks.incrementAndGet() == 3);
        assertThat(checks).hasValue(3);
    }

    @Test
    void assertion_is_repeated_until_it_passes() {
        eventually(
                "there are three checks",
                () -> assertThat(checks.incrementAndGet()).isEqualTo(3));
        assertThat(checks).hasValue(3);
    }

    @Test
    void condition_that_never_holds_fails_with_description_and_limit() {
        assertThatThrownBy(() -> eventually("the tool is listed", SHORT, () -> false))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("not within 30 ms: the tool is listed", "the condition is false");
        assertThatThrownBy(() -> eventually("the tool is listed", Duration.ZERO, () -> false))
                .hasMessageContaining("not within 0 s");
    }

    @Test
    void assertion_that_never_passes_fails_with_its_last_failure() {
        assertThatThrownBy(() -> eventually(
                        "five tools are listed", SHORT, () -> assertThat(4).isEqualTo(5)))
                .hasMessageContainingAll("five tools are listed", "expected: 5", "but was: 4")
                .hasRootCauseMessage("\nexpected: 5\n but was: 4");
    }

    @Test
    void exception_of_an_assertion_counts_as_a_failure() {
        eventually("the list is whole", () -> {
            if (checks.incrementAndGet() < 3) {
                throw new ConcurrentModificationException("still written");
            }
        });
        assertThat(checks).hasValue(3);
    }

    @Test
    void exception_of_a_condition_ends_the_wait() {
        assertThatThrownBy(() -> eventually("the server answers", () -> fails()))
                .isInstanceOf(IllegalStateException.class);
        assertThat(checks).hasValue(1);
    }

    @Test
    void condition_that_holds_throughout_is_checked_until_the_end() {
        throughout("the server is running", SHORT, () -> checks.incrementAndGet() > 0);
        throughout(
                "the server is running",
                SHORT,
                () -> assertThat(checks.incrementAndGet()).isPositive());
        assertThat(checks).hasValueGreaterThan(2);
    }

    @Test
    void condition_that_ceases_to_hold_fails_at_once() {
        Duration forever = Duration.ofMinutes(10);
        assertThatThrownBy(() -> throughout("the server is running", forever, () -> checks.incrementAndGet() < 3))
                .hasMessageContainingAll("not for 600 s: the server is running; ended after");
        assertThatThrownBy(() -> throughout(
                        "two servers run", forever, () -> assertThat(checks).hasValueLessThan(3)))
                .hasMessageContainingAll("two servers run", "Expecting");
    }

    @Test
    void interrupt_ends_the_wait_and_is_kept() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> eventually("the tool is listed", () -> false))
                .hasMessage("interrupted while waiting: the tool is listed");
        assertThat(Thread.interrupted()).isTrue();
    }

    private boolean fails() {
        throw new IllegalStateException("server is gone after " + checks.incrementAndGet() + " checks");
    }
}
