package dev.fusebox.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What becomes of breakers when the rules of a server change.
@Timeout(60)
class NewRulesTest {
    private static final Outcome UNAVAILABLE = new Outcome.Failed(
            new CallFailure(ErrorId.HTTP_ERROR, FailureCategory.HTTP, Delivery.REJECTED, "failed", Evidence.NONE));

    @Test
    void breaker_state_survives_a_new_call_timeout() {
        PipelineRules rules = PipelineRules.of("server", false);
        PipelineHarness harness = new PipelineHarness(rules);
        for (int i = 0; i < 5; i++) {
            harness.call(call -> UNAVAILABLE);
        }
        BreakerPolicy longer = rules.breaker().withCallTimeout(Duration.ofSeconds(7));
        assertThat(harness.pipeline().under(rules.with(longer)).state()).isEqualTo(State.OPEN);
    }
}
