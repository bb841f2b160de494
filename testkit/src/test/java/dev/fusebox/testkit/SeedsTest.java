package dev.fusebox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fusebox.testkit.SimulationFailure.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SeedsTest {
    private final Seeds ten = new Seeds(100, 10, Limits.defaults(), false);

    @Test
    void each_seed_of_the_range_is_run_once() {
        List<Long> seen = new ArrayList<>();

        Seeds.Summary summary = ten.run(sim -> seen.add(sim.seed()));

        assertThat(seen).containsExactly(100L, 101L, 102L, 103L, 104L, 105L, 106L, 107L, 108L, 109L);
        assertThat(summary).isEqualTo(new Seeds.Summary(10, 1));
    }

    @Test
    void failing_seed_is_named() {
        var failure = catchThrowableOfType(
                SimulationFailure.class,
                () -> ten.run(sim -> assertThat(sim.seed()).isNotEqualTo(104)));

        assertThat(failure.seed()).isEqualTo(104);
        assertThat(failure).hasMessageContaining("seed 104");
    }

    @Test
    void requested_seed_replaces_the_range() {
        List<Long> seen = new ArrayList<>();

        ten.or(" -77 ").run(sim -> seen.add(sim.seed()));

        assertThat(seen).containsExactly(-77L);
        assertThat(ten.or(null)).isEqualTo(ten);
        assertThat(ten.or("")).isEqualTo(ten);
    }

    @Test
    void seed_that_is_not_a_number_is_rejected() {
        assertThatThrownBy(() -> ten.or("0x12"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fusebox.seed")
                .hasMessageContaining("0x12");
    }

    @Test
    void range_may_wrap_around() {
        assertThat(new Seeds(Long.MAX_VALUE - 1, 4, Limits.defaults(), false)
                        .run(sim -> {})
                        .runs())
                .isEqualTo(4);
        assertThatThrownBy(() -> Seeds.count(0)).hasMessageContaining("at least 1");
    }

    @Test
    void nondeterministic_scenario_is_found_by_replaying() {
        var runs = new AtomicInteger();

        var failure = catchThrowableOfType(
                SimulationFailure.class,
                () -> ten.replayingEach().run(sim -> sim.spawn("run " + runs.incrementAndGet(), () -> {})));

        assertThat(failure.reason()).isEqualTo(Reason.NOT_REPLAYED);
        assertThat(failure).hasMessageContaining("after the first 1;");
    }

    @Test
    void two_thousand_seeds_replay_exactly() {
        Seeds.Summary summary = new Seeds(0, 2_000, Limits.defaults(), true).run(SimulationTest.TWO_PLACES);

        assertThat(summary.differentTraces()).isGreaterThan(1_800);
    }
}
