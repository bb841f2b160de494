package dev.fusebox.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.world.World;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How calls share the room for long answers.
@Timeout(60)
class RationTest {
    private static final World WORLD = World.system();

    private final AnswerRoom room = new AnswerRoom(1_000);

    private Ration ration(Duration limit) {
        return new Ration(WORLD, room, new Patience(limit, Duration.ZERO, WORLD.ticker()));
    }

    private Ration patient() {
        return ration(Duration.ofMinutes(1));
    }

    @Test
    void when_the_room_is_full_one_call_may_have_more_and_all_others_wait_for_it() throws Exception {
        Ration first = patient();
        Ration favoured = patient();
        Ration waiting = patient();
        assertThat(first.take(1_000)).isTrue();
        assertThat(favoured.take(400)).isTrue();
        assertThat(favoured.take(400)).isTrue();
        assertThat(first.take(1)).isFalse();
        assertThat(waiting.take(1)).isFalse();
        FutureTask<Boolean> later = new FutureTask<>(() -> waiting.await(100));
        Thread.ofVirtual().start(later);
        favoured.end();
        assertThat(later.get()).isTrue();
        assertThat(patient().take(1)).as("another is favoured now").isFalse();
        first.end();
        assertThat(patient().take(900)).isTrue();
    }

    @Test
    void nobody_waits_longer_than_its_client() {
        assertThat(patient().take(1_000)).isTrue();
        assertThat(patient().take(1)).isTrue();
        assertThat(ration(Duration.ofMillis(50)).await(1)).isFalse();
        assertThat(ration(Duration.ZERO).await(1)).isFalse();
    }

    @Test
    void what_comes_after_the_end_takes_nothing() {
        Ration late = patient();
        late.end();
        assertThat(late.take(1_000)).isTrue();
        assertThat(patient().take(1_000)).isTrue();
    }

    @Test
    void a_thread_has_the_ration_of_whom_it_serves() {
        assertThat(Ration.current()).isNull();
        Patience patience = new Patience(Duration.ofMinutes(1), Duration.ZERO, WORLD.ticker());
        Ration.during(WORLD, patience, () -> {
            assertThat(Ration.current()).isNotNull();
            Ration.during(WORLD, patience, () -> assertThat(Ration.current()).isNotNull());
        });
        assertThat(Ration.current()).isNull();
    }
}
