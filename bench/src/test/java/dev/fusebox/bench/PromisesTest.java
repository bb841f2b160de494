package dev.fusebox.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.bench.InProcessGateway.Measured;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The short form of `bench/promises`, of what is measured from inside: detects regressions, not single
/// milliseconds. Takes about twenty seconds, most of them with calls at a steady rate and until their time is
/// over; without either there would be nothing to measure.
@Tag("load")
@Timeout(120)
class PromisesTest {
    private static final String SERVER =
            Path.of("src/main/js/promises/server.mjs").toAbsolutePath().toString();

    /// A rejection has no side effects: in the same run it takes no longer than a call to a server and back,
    /// and usually a fifth of that.
    private static final double ROOM = 2;

    private static final double DEADLINE_MILLIS = 5000;

    @Test
    void rejection_beside_hanging_calls_is_not_slower_than_answered_call() throws Exception {
        Measured refusals = InProcessGateway.measured(List.of("node", SERVER, "refusals", "500", "2"));
        assertThat(refusals.hanging()).isEqualTo(500);
        assertThat(refusals.others()).isZero();
        assertThat(refusals.p50()).isLessThan(ROOM * refusals.answered());
    }

    @Test
    void five_hundred_deadlines_within_a_second_are_met() throws Exception {
        Measured deadlines = InProcessGateway.measured(List.of("node", SERVER, "deadlines", "500"));
        assertThat(deadlines.others()).isZero();
        assertThat(deadlines.p99()).isLessThan(DEADLINE_MILLIS / 2);
    }
}
