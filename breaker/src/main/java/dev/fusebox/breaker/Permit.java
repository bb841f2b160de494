package dev.fusebox.breaker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The right to make one call. It ends exactly once, from any thread: the call succeeded, it failed, or it was abandoned
 * because it says nothing about the server. What comes after the first ending changes nothing. Thread-safe; nothing
 * blocks.
 *
 * <p>A permit belongs to the breaker's state of the moment when it was handed out. If that is over when the call ends,
 * or if the lease of a probe ran out and another call took its place, the result is only counted as late.
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

    /** The call says nothing about the server. The place of a probe is free at once. */
    public boolean abandoned() {
        return settle(Verdict.neither());
    }

    /** Ends the permit as the verdict says. False if it had ended before. */
    public boolean settle(Verdict verdict) {
        // Before the permit ends, or a mistake would cost a probe its place for the whole lease.
        Objects.requireNonNull(verdict, "verdict");
        if (ENDED.compareAndSet(this, false, true)) {
            phase.breaker.settle(phase, this, verdict, started);
            return true;
        }
        return false;
    }

    /** Whether the call was let in to find out if the server is back: how it ends decides what the breaker does. */
    public boolean isProbe() {
        return phase.state() == State.HALF_OPEN;
    }

    /** Abandons the permit unless it has ended, so that try-with-resources never loses one. */
    @Override
    public void close() {
        abandoned();
    }

    /**
     * Stops the call's clock while it waits for its own caller (a question to a person, say): neither the lease of a
     * probe runs on, nor does the time count towards a slow call. A pause that lasts longer than {@code atMost} is
     * over.
     */
    public void pause(Duration atMost) {
        Rule.time("atMost", atMost);
        long now = phase.breaker.surroundings().ticker().nanos();
        Pauses ofThisCall = pausesOfThisCall();
        if (ofThisCall.begin(now, atMost.toNanos())) {
            phase.pause(this, now, atMost.toNanos());
            if (!ofThisCall.isPaused()) {
                // Another thread ended the pause before the phase had heard of it.
                phase.resume(this, now);
            }
        }
    }

    /** Lets the call's clock run on. */
    public void resume() {
        Pauses known = pauses;
        long now = phase.breaker.surroundings().ticker().nanos();
        if (known != null && known.end(now)) {
            phase.resume(this, now);
        }
    }

    /** How long the call had its clock stopped. */
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
