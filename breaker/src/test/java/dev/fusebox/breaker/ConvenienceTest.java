package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Shorter ways to say what can be said at length. */
class ConvenienceTest {
    private final CircuitBreaker breaker = CircuitBreaker.of("jira");

    @Test
    void a_refused_call_is_replaced_and_a_failed_one_is_not() throws Exception {
        assertThat(breaker.call(() -> "live", refused -> "cached")).isEqualTo("live");
        assertThatThrownBy(() -> breaker.call(
                        () -> {
                            throw new IOException("broken");
                        },
                        refused -> "cached"))
                .isInstanceOf(IOException.class);

        breaker.forceOpen("maintenance");

        assertThat(breaker.call(() -> "live", refused -> "cached, " + refused.operatorReason()))
                .isEqualTo("cached, maintenance");
    }

    @Test
    void a_refusal_by_an_inner_breaker_is_no_failure_of_the_outer_one() {
        CircuitBreaker inner = CircuitBreaker.of("inner");
        inner.forceOpen("maintenance");

        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> breaker.call(() -> inner.call(() -> "live")))
                    .isInstanceOf(CallRejectedException.class);
        }

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.snapshot().totals().abandoned()).isEqualTo(20);
    }

    @Test
    void a_judge_names_categories_looks_through_wrappers_and_reads_results() {
        Judge judge = Judge.ofResults(status ->
                        status instanceof Integer code && code >= 500 ? Verdict.failure("http") : Verdict.success())
                .failing(IOException.class, "offline")
                .but(IllegalArgumentException.class, Verdict.neither())
                .unwrapping(ExecutionException.class);
        IOException broken = new IOException("broken");

        assertThat(judge.returned(200)).isEqualTo(Verdict.success());
        assertThat(judge.returned(503)).isEqualTo(Verdict.failure("http"));
        assertThat(judge.threw(broken)).isEqualTo(Verdict.failure("offline", broken));
        assertThat(judge.threw(new ExecutionException(broken))).isEqualTo(Verdict.failure("offline", broken));
        assertThat(judge.threw(new IllegalArgumentException())).isEqualTo(Verdict.neither());
        assertThat(judge.threw(new IllegalStateException()).category()).isEqualTo("other");
    }

    @Test
    void breakers_for_tools_may_have_their_own_policy_and_judge() {
        BreakerPolicy forTools = BreakerPolicy.defaults().with(new TripRule.Consecutive(1));
        Breakers breakers = Breakers.settings()
                .tools(forTools, Judge.ofThrowables(thrown -> Verdict.neither()))
                .build();
        BreakerName server = BreakerName.of("jira");

        CircuitBreaker tool = breakers.breaker(server.tool("search"));
        assertThatThrownBy(() -> tool.call(() -> {
                    throw new IOException("broken");
                }))
                .isInstanceOf(IOException.class);

        assertThat(tool.policy()).isEqualTo(forTools);
        assertThat(tool.state()).isEqualTo(State.CLOSED);
        assertThat(breakers.breaker(server).policy()).isEqualTo(BreakerPolicy.defaults());
        assertThat(breakers.names()).isEqualTo(List.of(server, server.tool("search")));
    }

    @Test
    void snapshot_of_an_open_breaker_contains_its_cooldown() {
        CircuitBreaker fragile = CircuitBreaker.of(
                "fragile",
                BreakerPolicy.defaults().with(new TripRule.Consecutive(1)).with(Cooldown.fixed(Duration.ofMinutes(2))));
        assertThat(fragile.snapshot().cooldown()).isNull();

        ((Permit) fragile.tryAcquire()).failed("offline");

        assertThat(fragile.snapshot().cooldown()).isEqualTo(Duration.ofMinutes(2));
    }
}
