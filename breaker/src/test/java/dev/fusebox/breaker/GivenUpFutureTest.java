package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Futures that are ended by whoever holds them. */
class GivenUpFutureTest {
    private static final Judge ALL_BAD = Judge.ofThrowables(thrown -> Verdict.failure("bad"));

    @Test
    void cancelled_future_abandons_the_call_regardless_of_the_judge() {
        Rig rig = Rig.of(Rig.policy(1), ALL_BAD);
        CompletableFuture<String> stage = new CompletableFuture<>();

        assertThat(rig.breaker.callAsync(() -> stage).cancel(true)).isTrue();

        assertThat(stage.isCancelled()).isTrue();
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.totals().abandoned()).isEqualTo(1);
    }

    @Test
    void future_completed_by_its_owner_abandons_the_call_regardless_of_the_judge() {
        Rig rig = Rig.of(Rig.policy(1), ALL_BAD);
        CompletableFuture<String> stage = new CompletableFuture<>();

        assertThat(rig.breaker.callAsync(() -> stage).complete("from elsewhere"))
                .isTrue();

        assertThat(stage.isCancelled()).isTrue();
        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.totals().abandoned()).isEqualTo(1);
    }
}
