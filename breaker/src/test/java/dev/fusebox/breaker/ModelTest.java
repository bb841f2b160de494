package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * The library against the reference model, over random histories.
 *
 * <p>The long form: {@code -Dmodel.events=5000000}. A single history: {@code -Dmodel.seed=...}.
 */
class ModelTest {
    private static final long EVENTS = Long.getLong("model.events", 100_000);

    @Test
    void the_breaker_does_what_the_reference_model_does() {
        assertThat(play(List.of(1L, 2L, 3L, 4L, 5L), EVENTS / 2)).isGreaterThanOrEqualTo(EVENTS / 2);
    }

    @Test
    void the_breaker_does_what_the_reference_model_does_in_histories_never_seen_before() {
        long seed = Long.getLong("model.seed", ThreadLocalRandom.current().nextLong());
        System.out.println("model: random seed " + seed);
        assertThat(play(List.of(seed), EVENTS / 2)).isGreaterThanOrEqualTo(EVENTS / 2);
    }

    @Test
    void the_histories_reach_every_state_in_every_way() {
        Set<String> reached = new TreeSet<>();
        SplittableRandom histories = new SplittableRandom(1);
        for (int i = 0; i < 500; i++) {
            assertThat(Duel.play(Script.random(histories.nextLong()), reached)).isEmpty();
        }
        assertThat(reached)
                .contains(
                        "closed to open by ThresholdReached",
                        "closed to open by FailureRateReached",
                        "closed to open by SlowCallRateReached",
                        "open to half-open by CooldownOver",
                        "half-open to open by TestFailed",
                        "half-open to closed by TestPassed")
                .hasSize(6 + 4 + 4 + 4);
    }

    /** Plays histories until there have been so many steps; the number that were played. */
    private static long play(List<Long> seeds, long steps) {
        long played = 0;
        for (long seed : seeds) {
            SplittableRandom histories = new SplittableRandom(seed);
            long share = steps / seeds.size();
            for (long done = 0; done < share; ) {
                int length = playOne(Script.random(histories.nextLong()));
                done += length;
                played += length;
            }
        }
        return played;
    }

    private static int playOne(Script script) {
        Optional<String> difference = Duel.play(script);
        if (difference.isPresent()) {
            Script shortest = Shrinker.shrink(script);
            fail(Duel.play(shortest).orElseThrow() + System.lineSeparator() + shortest);
        }
        return script.steps().size();
    }
}
