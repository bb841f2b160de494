package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Futures that are ended by whoever holds them. */
class GivenUpFutureTest {
    private static final Judge ALL_BAD = Judge.ofThrowables(thrown -> Verdict.failure("bad"));

    @Test
    void a_cancelled_future_abandons_the_call_whatever_the_judge_thinks_of_cancellations() {
        Rig rig = Rig.of(Rig.policy(1), ALL_BAD);
        CompletableFuture<String> stage = new CompletableFuture<>();

        assertThat(rig.breaker.callAsync(() -> stage).cancel(true)).isTrue();

        assertThat(stage.isCancelled()).isTrue();
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.totals().abandoned()).isEqualTo(1);
    }

    @Test
    void a_future_that_its_owner_completes_abandons_the_call_whatever_the_judge_thinks() {
        Rig rig = Rig.of(Rig.policy(1), ALL_BAD);
        CompletableFuture<String> stage = new CompletableFuture<>();

        assertThat(rig.breaker.callAsync(() -> stage).complete("from elsewhere"))
                .isTrue();

        assertThat(stage.isCancelled()).isTrue();
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.totals().abandoned()).isEqualTo(1);
    }
}
