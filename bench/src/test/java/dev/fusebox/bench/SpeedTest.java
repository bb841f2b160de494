package dev.fusebox.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The short form of the benchmarks: guards against mistakes, not against nanoseconds.
///
/// Takes about ten seconds where a unit test may take five: thirteen benchmarks, and with less than 0.6 seconds each
/// the compiler is not done with them. Ratios only, for they hold where times do not, with one thread, for two need two
/// free processors, and with twice the room that docs/benchmarks.md gives. Allocation is exact and gets no room.
class SpeedTest {
    private static final double ROOM = 2;
    private static final List<String> BENCHMARKS = List.of(
            "ConsecutiveBenchmark\\.(oursCall|oursPermit|resilience4jLocking|failsafe)$",
            "WindowBenchmark\\.(oursCall|oursPermit|resilience4jLocking|failsafe)$",
            "RefusalBenchmark\\.(ours|oursWithTime|resilience4j|failsafe|failsafeWithTime)$");

    @Test
    void calls_and_refusals_are_about_as_fast_and_lean_as_we_say() throws Exception {
        Figures figures = Session.CHECK.runHere(BENCHMARKS);
        List<Goal> goals = goalsIn(figures);
        List<String> broken = new ArrayList<>();
        for (Goal goal : goals) {
            double ratio = figures.ratio(goal.ours(), peersIn(figures, goal), 1);
            double bytes = figures.of(new Figures.Key(goal.ours(), 1)).bytes();
            if (ratio > ROOM * goal.limit(1) || !goal.allowsBytes(bytes)) {
                broken.add(goal.what() + ": ratio " + ratio + ", " + bytes + " bytes");
            }
        }
        assertThat(goals).hasSize(6);
        assertThat(broken).isEmpty();
    }

    /// Takes two seconds: ten million calls on each of four breakers is what the claim says.
    @Test
    void nothing_is_kept_for_a_call() {
        assertThat(Retained.bytes()).isLessThan(Report.RETAINED_LIMIT);
    }

    private static List<Goal> goalsIn(Figures figures) {
        return Goal.ALL.stream()
                .filter(goal -> figures.has(new Figures.Key(goal.ours(), 1)))
                .toList();
    }

    private static List<String> peersIn(Figures figures, Goal goal) {
        Stream<String> measured = goal.peers().stream().filter(peer -> figures.has(new Figures.Key(peer, 1)));
        return measured.toList();
    }
}
