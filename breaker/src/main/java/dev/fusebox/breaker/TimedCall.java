package dev.fusebox.breaker;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Work on the calling thread that is interrupted after its timeout. Used once, by that thread.
 *
 * <p>The work and the timer race for {@code ended}, under this object's monitor. The timer interrupts inside of it, so
 * the interruption can only reach the work, never the caller's code after it.
 */
final class TimedCall {
    private final Permit permit;
    private final Judge judge;
    private final Limit limit;
    private final Thread worker = Thread.currentThread();
    private boolean ended;
    private boolean interruptedByUs;
    private @Nullable TimeoutException exceeded;

    TimedCall(Permit permit, Judge judge, Limit limit) {
        this.permit = permit;
        this.judge = judge;
        this.limit = limit;
    }

    <T extends @Nullable Object> T run(Callable<T> work) throws Exception {
        Future<?> alarm = alarmOrAbandon();
        T result;
        try {
            result = work.call();
        } catch (Throwable thrown) {
            endInTime(alarm, thrown);
            permit.settle(judge.threw(thrown));
            throw thrown;
        }
        endInTime(alarm, null);
        permit.settle(judge.returned(result));
        return result;
    }

    /** Without a timer the work must not begin: nothing would end it. */
    private Future<?> alarmOrAbandon() {
        try {
            return limit.alarm(this::timeOut);
        } catch (RuntimeException | Error noTimer) {
            permit.abandoned();
            throw noTimer;
        }
    }

    private void timeOut() {
        TimeoutException late = limit.exceeded();
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            exceeded = late;
            // An earlier interruption must not be cleared.
            interruptedByUs = !worker.isInterrupted();
            worker.interrupt();
        }
        permit.settle(limit.verdict(late));
    }

    /** Throws if the timeout elapsed first, regardless of the work's reaction to the interruption. */
    private void endInTime(Future<?> alarm, @Nullable Throwable thrown) throws TimeoutException {
        TimeoutException late;
        synchronized (this) {
            ended = true;
            late = exceeded;
        }
        alarm.cancel(false);
        if (late != null) {
            // The timer's thread may be late: the breaker must have counted the timeout before the caller gets it.
            permit.settle(limit.verdict(late));
            clearOurInterruption();
            if (thrown != null) {
                late.addSuppressed(thrown);
            }
            throw late;
        }
    }

    /** The timer has fired. */
    private synchronized void clearOurInterruption() {
        if (interruptedByUs) {
            Thread.interrupted();
        }
    }
}
