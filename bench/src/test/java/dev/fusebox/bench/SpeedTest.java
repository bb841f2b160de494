package dev.fusebox.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The short form of the benchmarks: detects regressions, not single nanoseconds.
///
/// Takes about fifteen seconds where a unit test may take five: thirteen benchmarks, and with less than a second
/// each the compiler is not done with them on a busy machine. Ratios only, for they hold where times do not; of
/// the best iterations, for in the others the compiler and other programs are measured, too; with one thread, for
/// two need two free processors; and with twice the room that docs/benchmarks.md gives. Allocation is exact and
/// gets no room.
@Tag("load")
class SpeedTest {
    private static final double ROOM = 2;

    /// On a machine with sevenfold overload one measurement in five met code that was not compiled yet. A
    /// regression shows in every measurement.
    private static final int LOOKS = 3;

    private static final List<String> BENCHMARKS = List.of(
            "ConsecutiveBenchmark\\.(oursCall|oursPermit|resilience4jLocking|failsafe)$",
            "WindowBenchmark\\.(oursCall|oursPermit|resilience4jLocking|failsafe)$",
            "RefusalBenchmark\\.(ours|oursWithTime|resilience4j|failsafe|failsafeWithTime)$");

    @Test
    void calls_and_rejections_meet_performance_goals() throws Exception {
        List<String> broken = brokenGoals();
        for (int more = 1; more < LOOKS && !broken.isEmpty(); more++) {
            broken = brokenGoals();
        }
        assertThat(broken).isEmpty();
    }

    private static List<String> brokenGoals() throws Exception {
        Figures figures = BenchmarkRun.CHECK.runHere(BENCHMARKS);
        List<Goal> goals = goalsIn(figures);
        assertThat(goals).hasSize(6);
        List<String> broken = new ArrayList<>();
        for (Goal goal : goals) {
            double ratio = least(figures, goal.ours()) / best(figures, goal.peers());
            double bytes = figures.of(new Figures.Key(goal.ours(), 1)).bytes();
            if (ratio > ROOM * goal.limit(1) || !goal.allowsBytes(bytes)) {
                broken.add(goal.what() + ": ratio " + ratio + ", " + bytes + " bytes");
            }
        }
        return broken;
    }

    /// Takes two seconds: ten million calls on each of four breakers is what the claim says.
    @Test
    void no_memory_is_retained_per_call() {
        assertThat(Retained.bytes()).isLessThan(Report.RETAINED_LIMIT);
    }

    private static List<Goal> goalsIn(Figures figures) {
        return Goal.ALL.stream()
                .filter(goal -> figures.has(new Figures.Key(goal.ours(), 1)))
                .toList();
    }

    private static double best(Figures figures, List<String> peers) {
        return peers.stream()
                .filter(peer -> figures.has(new Figures.Key(peer, 1)))
                .mapToDouble(peer -> least(figures, peer))
                .min()
                .orElseThrow();
    }

    private static double least(Figures figures, String benchmark) {
        return figures.of(new Figures.Key(benchmark, 1)).least();
    }
}
