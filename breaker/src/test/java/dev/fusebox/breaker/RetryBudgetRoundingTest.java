package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Budgets whose shares have no exact binary fraction. */
class RetryBudgetRoundingTest {
    @Test
    void ten_calls_that_are_looked_at_one_by_one_allow_one_retry_too() {
        RetryBudget budget = new RetryBudget(new RetryBudget.Rules(0, 0.1, 0, 100), new ManualTime()::nanos);
        int retries = 0;

        for (int call = 0; call < 1_000; call++) {
            budget.called();
            retries += budget.tryRetry() ? 1 : 0;
        }

        assertThat(retries).isEqualTo(100);
        assertThat(budget.tokens()).isBetween(0.0, 0.001);
    }
}
