package dev.fusebox.testkit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The failure of a simulation. The message names the seed and ends with the last steps. Not thread-safe while it
/// is thrown, like every throwable.
public final class SimulationFailure extends AssertionError {
    private static final long serialVersionUID = 1;
    private static final int STEPS_SHOWN = 20;

    /// The seed that reproduces the failure.
    private final long seed;

    /// The kind of failure.
    private final Reason reason;

    /// Not kept when serialized.
    private final transient @Nullable Trace trace;

    /// The kind of failure.
    public enum Reason {
        /// A thread or the action of a timer threw an exception.
        THREW,
        /// A check after a step or at the end threw an exception.
        CHECK_FAILED,
        /// Threads wait, and no timer is set: nothing in the simulation can wake them (or only a thread outside of
        /// it could).
        STUCK,
        /// A thread waited for something outside of the Platform: real time, a held monitor, a real thread.
        OUTSIDE,
        /// The limit of steps was reached.
        ENDLESS,
        /// The second run of a seed took other steps.
        NOT_REPLAYED
    }

    SimulationFailure(long seed, Reason reason, String what, Trace trace) {
        this(new Finding(reason, what, null), seed, trace);
    }

    SimulationFailure(Finding finding, long seed, Trace trace) {
        super(message(finding, seed, trace), finding.cause());
        this.seed = seed;
        this.reason = finding.reason();
        this.trace = trace;
    }

    /// The finding of a run, before seed and trace are known.
    record Finding(Reason reason, String what, @Nullable Throwable cause) {}

    private static String message(Finding finding, long seed, Trace trace) {
        return "seed " + seed + ", step " + trace.steps().size() + ", " + finding.reason() + ": " + finding.what()
                + "\nReplay it with -D" + Seeds.PROPERTY + "=" + seed + " or Simulation.run(" + seed
                + "L, ...). Last steps:\n" + trace.tail(STEPS_SHOWN);
    }

    public long seed() {
        return seed;
    }

    public Reason reason() {
        return reason;
    }

    /// The steps up to the failure; empty after serialization.
    public Trace trace() {
        Trace known = trace;
        return known == null ? new Trace(List.of()) : known;
    }
}
