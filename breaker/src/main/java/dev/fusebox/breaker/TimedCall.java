package dev.fusebox.breaker;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Work on the calling thread that is interrupted when its time is over. Used once, by that thread.
 *
 * <p>The work and the alarm race for {@code ended}, under this object's monitor. The alarm interrupts inside of it, so
 * the interruption can only meet the work, never what the caller does afterwards.
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

    /** Without an alarm the work must not begin: nothing would end it. */
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
            // What has interrupted it before is not ours to clear away.
            interruptedByUs = !worker.isInterrupted();
            worker.interrupt();
        }
        permit.settle(limit.verdict(late));
    }

    /** Throws if the time was over first, whatever the work made of the interruption. */
    private void endInTime(Future<?> alarm, @Nullable Throwable thrown) throws TimeoutException {
        TimeoutException late;
        synchronized (this) {
            ended = true;
            late = exceeded;
        }
        alarm.cancel(false);
        if (late != null) {
            // The alarm's thread may not have come so far: what the caller sees the breaker has seen.
            permit.settle(limit.verdict(late));
            clearOurInterruption();
            if (thrown != null) {
                late.addSuppressed(thrown);
            }
            throw late;
        }
    }

    /** It has done its work. */
    private synchronized void clearOurInterruption() {
        if (interruptedByUs) {
            Thread.interrupted();
        }
    }
}
