package dev.fusebox.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.State;
import dev.fusebox.client.Deadline;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Breaker permits of a call whose server sends a request to its client.
class CallPermitsTest {
    private static final Platform PLATFORM = Platform.system();

    private static CallPermits permits(CircuitBreaker breaker) {
        CallPermits.PermitResult permitResult = CallPermits.ask(breaker, null, Duration.ofSeconds(10));
        if (permitResult instanceof CallPermits.PermitResult.Granted(CallPermits permits)) {
            return permits;
        }
        throw new AssertionError(permitResult);
    }

    @Test
    void a_call_that_is_given_up_or_whose_time_is_over_may_still_be_asked_about() {
        CircuitBreaker breaker = Breakers.settings().build().breaker(BreakerName.of("server"));
        Deadline over = new Deadline(Duration.ofSeconds(10), Duration.ZERO, PLATFORM.ticker());
        Deadline givenUp = new Deadline(Duration.ofSeconds(10), Duration.ofSeconds(10), PLATFORM.ticker());
        for (Deadline deadline : new Deadline[] {over, givenUp}) {
            CallPermits permits = permits(breaker);
            deadline.onPause(() -> permits.follow(deadline));
            givenUp.giveUp();
            deadline.stop();
            assertThat(deadline.left()).isNotPositive();
            deadline.go();
            assertThat(deadline.isStopped()).isFalse();
        }
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }
}
