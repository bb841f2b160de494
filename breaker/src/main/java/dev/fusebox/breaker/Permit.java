package dev.fusebox.breaker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The right to make one call. It ends exactly once, from any thread: the call succeeded, it failed, or it was abandoned
 * because it gives no information about the server. Further ends have no effect. Thread-safe; nothing blocks.
 *
 * <p>A permit belongs to the phase of the breaker in which it was granted. If that phase is over when the call ends, or
 * if the lease of a probe expired and another call took over its slot, the result is only counted as late.
 */
public final class Permit implements Admission, AutoCloseable {
    private static final VarHandle ENDED;

    static {
        try {
            ENDED = MethodHandles.lookup().findVarHandle(Permit.class, "ended", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Phase phase;
    private final long started;
    private volatile @Nullable Pauses pauses;

    @SuppressWarnings("unused") // read and written by ENDED
    private volatile boolean ended;

    Permit(Phase phase, long started) {
        this.phase = phase;
        this.started = started;
    }

    /** The call succeeded. False if the permit had ended before. */
    public boolean succeeded() {
        return settle(Verdict.success());
    }

    /** The call failed with a failure of this category. False if the permit had ended before. */
    public boolean failed(String category) {
        return settle(Verdict.failure(category));
    }

    /** The call gives no information about the server. The slot of a probe becomes free immediately. */
    public boolean abandoned() {
        return settle(Verdict.neither());
    }

    /** Ends the permit according to the verdict. False if it had ended before. */
    public boolean settle(Verdict verdict) {
        // Before the permit ends; otherwise an invalid argument would occupy the probe's slot for the whole lease.
        Objects.requireNonNull(verdict, "verdict");
        if (ENDED.compareAndSet(this, false, true)) {
            phase.breaker.settle(phase, this, verdict, started);
            return true;
        }
        return false;
    }

    /** Whether the call was admitted as a probe: its outcome decides the next state of the breaker. */
    public boolean isProbe() {
        return phase.state() == State.HALF_OPEN;
    }

    /** Abandons the permit unless it has ended, so that try-with-resources never leaks one. */
    @Override
    public void close() {
        abandoned();
    }

    /**
     * Pauses the call's clock while the call waits for its own caller (for example, for an answer by a person). The
     * pause counts neither for the lease of a probe nor for a slow call. It ends after {@code atMost} at the latest.
     */
    public void pause(Duration atMost) {
        Rule.time("atMost", atMost);
        long now = phase.breaker.surroundings().ticker().nanos();
        Pauses ofThisCall = pausesOfThisCall();
        if (ofThisCall.begin(now, atMost.toNanos())) {
            phase.pause(this, now, atMost.toNanos());
            if (!ofThisCall.isPaused()) {
                // Another thread ended the pause before the phase recorded it.
                phase.resume(this, now);
            }
        }
    }

    /** Resumes the call's clock. */
    public void resume() {
        Pauses known = pauses;
        long now = phase.breaker.surroundings().ticker().nanos();
        if (known != null && known.end(now)) {
            phase.resume(this, now);
        }
    }

    /** How long the call's clock was paused. */
    long pausedNanos(long now) {
        Pauses known = pauses;
        return known == null ? 0 : known.total(now);
    }

    private synchronized Pauses pausesOfThisCall() {
        Pauses known = pauses;
        if (known == null) {
            known = new Pauses();
            pauses = known;
        }
        return known;
    }
}
