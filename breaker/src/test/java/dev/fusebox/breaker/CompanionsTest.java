package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Backoff, retry budget and restart budget. */
class CompanionsTest {
    private final ManualTime time = new ManualTime();

    // ---- Backoff --------------------------------------------------------------------------------------------------

    @Test
    void each_wait_is_shortened_by_chance_to_a_half_at_least() {
        Backoff backoff = Backoff.of(Duration.ofMillis(500), Duration.ofMillis(1_000));
        time.chance(0);
        assertThat(backoff.before(1, time.surroundings().random())).isEqualTo(Duration.ofMillis(250));
        assertThat(backoff.before(2, time.surroundings().random())).isEqualTo(Duration.ofMillis(500));
        time.chance(0.5);
        assertThat(backoff.before(1, time.surroundings().random())).isEqualTo(Duration.ofMillis(375));
    }

    @Test
    void the_last_wait_serves_all_that_follow() {
        Backoff backoff = new Backoff(List.of(Duration.ofSeconds(1), Duration.ofSeconds(2)), 1);
        assertThat(backoff.before(2, time.surroundings().random())).isEqualTo(Duration.ofSeconds(2));
        assertThat(backoff.before(1_000_000, time.surroundings().random())).isEqualTo(Duration.ofSeconds(2));
    }

    // ---- RetryBudget ----------------------------------------------------------------------------------------------

    private static int retries(RetryBudget budget, int wanted) {
        int allowed = 0;
        for (int i = 0; i < wanted; i++) {
            allowed += budget.tryRetry() ? 1 : 0;
        }
        return allowed;
    }

    @Test
    void the_usual_budget_has_these_numbers() {
        assertThat(RetryBudget.Rules.defaults()).isEqualTo(new RetryBudget.Rules(10, 0.1, 1, 100));
        assertThat(new RetryBudget().tryRetry()).isTrue();
    }

    @Test
    void a_budget_begins_with_its_initial_tokens_and_gains_with_calls_and_time() {
        RetryBudget budget = new RetryBudget(RetryBudget.Rules.defaults(), time::nanos);
        assertThat(retries(budget, 100)).isEqualTo(10);
        for (int call = 0; call < 30; call++) {
            budget.called();
        }
        assertThat(retries(budget, 100)).isEqualTo(3);
        time.advance(Duration.ofSeconds(5));
        assertThat(budget.tokens()).isCloseTo(5, within(1e-9));
        assertThat(retries(budget, 100)).isEqualTo(5);
    }

    @Test
    void a_budget_saves_up_no_more_than_its_cap() {
        RetryBudget budget = new RetryBudget(RetryBudget.Rules.defaults(), time::nanos);
        time.advance(Duration.ofDays(300));
        assertThat(budget.tokens()).isEqualTo(100);
        assertThat(retries(budget, 1_000)).isEqualTo(100);
    }

    @Test
    void in_a_full_outage_at_two_hundred_calls_a_second_retries_add_a_tenth_and_little_more() {
        RetryBudget budget = new RetryBudget(RetryBudget.Rules.defaults(), time::nanos);
        int calls = 0;
        int retries = 0;
        for (int second = 0; second < 60; second++) {
            for (int call = 0; call < 200; call++) {
                calls++;
                budget.called();
                retries += retries(budget, 2);
                time.advanceMillis(5);
            }
        }
        double work = (calls + retries) / (double) calls;
        assertThat(work).isBetween(1.10, 1.11);
    }

    @Test
    void a_budget_lives_through_the_wrap_of_the_clock() {
        ManualTime late = new ManualTime(Long.MAX_VALUE - 1);
        RetryBudget budget = new RetryBudget(new RetryBudget.Rules(0, 0, 1, 10), late::nanos);
        assertThat(budget.tryRetry()).isFalse();
        late.advance(Duration.ofSeconds(1));
        assertThat(budget.tryRetry()).isTrue();
    }

    // ---- RestartBudget --------------------------------------------------------------------------------------------

    private RestartBudget restarts(int maxCrashes) {
        return new RestartBudget(maxCrashes, Duration.ofMinutes(5), time.surroundings());
    }

    @Test
    void the_third_crash_within_five_minutes_is_one_too_many() {
        RestartBudget budget = restarts(3);
        assertThat(budget.crashed("exit 1")).isTrue();
        assertThat(budget.crashed("exit 1")).isTrue();
        time.advance(Duration.ofMinutes(5).minusNanos(1));
        assertThat(budget.crashed("signal 9")).isFalse();
        assertThat(budget.crashed("signal 9")).isFalse();
        assertThat(budget.crashes()).hasSize(3);
    }

    @Test
    void a_crash_counts_for_exactly_the_window() {
        RestartBudget budget = restarts(2);
        budget.crashed("exit 1");
        time.advance(Duration.ofMinutes(5));
        assertThat(budget.crashes()).isEmpty();
        assertThat(budget.crashed("exit 2")).isTrue();
        assertThat(budget.crashes())
                .containsExactly(new RestartBudget.Crash(ManualTime.BEGIN.plusSeconds(300), "exit 2"));
    }

    @Test
    void without_a_maximum_no_crash_is_one_too_many_and_none_is_kept() {
        RestartBudget budget = restarts(0);
        for (int i = 0; i < 1_000; i++) {
            assertThat(budget.crashed("exit 1")).isTrue();
        }
        assertThat(budget.crashes()).isEmpty();
    }

    @Test
    void clearing_gives_the_whole_budget_back() {
        RestartBudget budget = restarts(2);
        budget.crashed("exit 1");
        budget.clear();
        assertThat(budget.crashes()).isEmpty();
        assertThat(budget.crashed("exit 1")).isTrue();
    }

    @Test
    void more_crashes_than_exhaust_it_push_out_the_oldest() {
        RestartBudget budget = restarts(2);
        budget.crashed("first");
        budget.crashed("second");
        budget.crashed("third");
        assertThat(budget.crashes()).extracting(RestartBudget.Crash::cause).containsExactly("second", "third");
    }
}
