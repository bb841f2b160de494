package dev.fusebox.breaker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A timer without a thread, whose alarms go off when and where the test says so. Thread-safe. */
final class ByHandTimer extends AbstractExecutorService implements ScheduledExecutorService {
    private final List<Alarm> alarms = new ArrayList<>();
    private boolean shut;
    private @Nullable Error broken;

    /** One alarm; running the action itself is an alarm that was cancelled too late. */
    static final class Alarm extends FutureTask<Object> implements ScheduledFuture<Object> {
        final Runnable action;
        final long nanos;

        Alarm(Runnable action, long nanos) {
            super(action, "rung");
            this.action = action;
            this.nanos = nanos;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(nanos, other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    @Override
    public synchronized ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
        if (shut) {
            throw new RejectedExecutionException("no more alarms");
        }
        if (broken != null) {
            throw broken;
        }
        Alarm alarm = new Alarm(action, unit.toNanos(delay));
        alarms.add(alarm);
        return alarm;
    }

    synchronized int alarms() {
        return alarms.size();
    }

    synchronized Alarm last() {
        return alarms.get(alarms.size() - 1);
    }

    /** From now on it fails as a timer fails that gets no thread. */
    synchronized void breakWith(Error error) {
        broken = error;
    }

    /** Lets the last alarm go off, unless it was cancelled. */
    void ring() {
        last().run();
    }

    @Override
    public synchronized void shutdown() {
        shut = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
        return List.of();
    }

    @Override
    public synchronized boolean isShutdown() {
        return shut;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isShutdown();
    }

    @Override
    public void execute(Runnable command) {
        throw new UnsupportedOperationException("only alarms");
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> action, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("only alarms that give nothing");
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable action, long first, long period, TimeUnit unit) {
        throw new UnsupportedOperationException("only alarms that ring once");
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable action, long first, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("only alarms that ring once");
    }
}
