package dev.fusebox.bench;

import dev.fusebox.breaker.Admission;
import dev.fusebox.breaker.CallRejectedException;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Rejection;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// A benchmark of a call that an open breaker rejects. All threads share one breaker.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RefusalBenchmark {
    private final CircuitBreaker ours = Ours.open();
    private final io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j = Peers.resilience4jOpen();
    private final dev.failsafe.CircuitBreaker<Object> failsafe = Peers.failsafeOpen();
    private final Callable<Object> work = Object::new;

    /// The rejection with all its accessors.
    @Benchmark
    public Admission ours() {
        return ours.tryAcquire();
    }

    @Benchmark
    public @Nullable Duration oursWithTime() {
        return ours.tryAcquire() instanceof Rejection rejection ? rejection.retryAfter() : null;
    }

    @Benchmark
    public Object oursException() throws Exception {
        try {
            return ours.call(work);
        } catch (CallRejectedException refused) {
            return refused;
        }
    }

    @Benchmark
    public boolean resilience4j() {
        return resilience4j.tryAcquirePermission();
    }

    /// Does not read the clock; the configuration disables the stack trace.
    @Benchmark
    public Object resilience4jException() {
        try {
            resilience4j.acquirePermission();
            return resilience4j;
        } catch (CallNotPermittedException refused) {
            return refused;
        }
    }

    @Benchmark
    public boolean failsafe() {
        return failsafe.tryAcquirePermit();
    }

    @Benchmark
    public @Nullable Duration failsafeWithTime() {
        return failsafe.tryAcquirePermit() ? null : failsafe.getRemainingDelay();
    }
}
