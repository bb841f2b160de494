package dev.fusebox.breaker;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown for a call that a breaker rejected; the call was not made. Has no stack trace, and its message is created when
 * it is read. Immutable.
 */
public final class CallRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Rejection rejection;

    CallRejectedException(Rejection rejection) {
        super(null, null, false, false);
        this.rejection = rejection;
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException("a rejection refers to a breaker of this process; send its message instead");
    }

    /** The details of the rejection. */
    public Rejection rejection() {
        return rejection;
    }

    public BreakerName breakerName() {
        return rejection.name();
    }

    public State state() {
        return rejection.state();
    }

    /** When to retry; null if only an operator can close the breaker. */
    public @Nullable Duration retryAfter() {
        return rejection.retryAfter();
    }

    public long failureCount() {
        return rejection.failureCount();
    }

    /** The rejection in one line for people and logs. */
    @Override
    public String getMessage() {
        return rejection.message();
    }

    /** The rejection for a language model, with what to do instead. */
    public String modelMessage() {
        return rejection.modelMessage();
    }
}
