package dev.fusebox.testkit;

import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.SimulationFailure.Reason;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A range of seeds for the runs of a scenario. Immutable, thread-safe; [#run] blocks until all have run or one
/// has failed.
///
/// The system property `fusebox.seed` or the environment variable `FUSEBOX_SEED` replaces every range by one seed,
/// to replay a failure.
///
/// @param first the first seed
/// @param count the number of seeds
/// @param limits of each run
/// @param replayed whether each seed runs twice and must take the same steps
public record Seeds(long first, int count, Limits limits, boolean replayed) {
    static final String PROPERTY = "fusebox.seed";
    static final String VARIABLE = "FUSEBOX_SEED";

    public Seeds {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1, not " + count);
        }
    }

    /// The result of a range of runs.
    ///
    /// @param runs the number of seeds that were run
    /// @param differentTraces the number of different sequences of steps; a low number means that the scenario
    /// leaves the scheduler little choice
    public record Summary(int runs, int differentTraces) {}

    /// The seeds from 0 up, or the one to replay.
    public static Seeds count(int count) {
        return from(0, count);
    }

    /// The seeds from `first` up, or the one to replay.
    public static Seeds from(long first, int count) {
        String property = System.getProperty(PROPERTY);
        String asked =
                property != null ? property : Platform.system().environment().get(VARIABLE);
        return new Seeds(first, count, Limits.defaults(), false).or(asked);
    }

    Seeds or(@Nullable String asked) {
        if (asked == null || asked.isBlank()) {
            return this;
        }
        try {
            return new Seeds(Long.parseLong(asked.strip()), 1, limits, replayed);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    PROPERTY + " or " + VARIABLE + " must be a seed (a whole number), not '" + asked + "'", e);
        }
    }

    /// The same seeds with other limits of each run.
    public Seeds within(Limits other) {
        return new Seeds(first, count, other, replayed);
    }

    /// The same seeds, each run twice: detects behavior that the seed does not decide.
    public Seeds replayingEach() {
        return new Seeds(first, count, limits, true);
    }

    /// Runs the scenario once per seed, or twice.
    ///
    /// @throws SimulationFailure of the first seed that fails
    public Summary run(Simulation.Scenario scenario) {
        return Carrier.call(limits.realTime(), carrier -> runAll(carrier, scenario));
    }

    private Summary runAll(Carrier<Summary> carrier, Simulation.Scenario scenario) {
        Set<Long> hashes = new HashSet<>();
        for (long seed = first; seed - first < count; seed++) {
            Trace trace = carrier.play(new Simulation(seed, limits), scenario);
            hashes.add(trace.hash());
            if (replayed) {
                compare(seed, trace, carrier.play(new Simulation(seed, limits), scenario));
            }
        }
        return new Summary(count, hashes.size());
    }

    private static void compare(long seed, Trace one, Trace two) {
        if (one.equals(two)) {
            return;
        }
        int same = 0;
        int shorter = Math.min(one.steps().size(), two.steps().size());
        while (same < shorter && one.steps().get(same).equals(two.steps().get(same))) {
            same++;
        }
        String what = "a second run took other steps after the first " + same
                + "; something in the scenario is not decided by the seed";
        throw new SimulationFailure(seed, Reason.NOT_REPLAYED, what, two);
    }
}
