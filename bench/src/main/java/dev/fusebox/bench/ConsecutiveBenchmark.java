package dev.fusebox.bench;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.function.CheckedSupplier;
import dev.fusebox.breaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// A benchmark of a successful call through a breaker in consecutive-failures mode. All threads share one breaker.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ConsecutiveBenchmark {
    private final CircuitBreaker ours = Ours.consecutive();
    private final io.github.resilience4j.circuitbreaker.CircuitBreaker lockFree =
            Peers.resilience4jCount(SlidingWindowSynchronizationStrategy.LOCK_FREE);
    private final io.github.resilience4j.circuitbreaker.CircuitBreaker locking =
            Peers.resilience4jCount(SlidingWindowSynchronizationStrategy.SYNCHRONIZED);
    private final dev.failsafe.CircuitBreaker<Object> failsafe = Peers.failsafeCount();
    private final FailsafeExecutor<Object> failsafeCalls = Failsafe.with(failsafe);

    private Object answer = new Object();
    private final Callable<Object> work = () -> answer;
    private final CheckedSupplier<Object> failsafeWork = () -> answer;

    @Benchmark
    public Object oursCall() throws Exception {
        return ours.call(work);
    }

    @Benchmark
    public boolean oursPermit() {
        return Ours.letThrough(ours);
    }

    @Benchmark
    public boolean resilience4jLockFree() {
        return Peers.letThrough(lockFree);
    }

    @Benchmark
    public boolean resilience4jLocking() {
        return Peers.letThrough(locking);
    }

    @Benchmark
    public Object resilience4jCall() throws Exception {
        return locking.executeCallable(work);
    }

    @Benchmark
    public boolean failsafe() {
        return Peers.letThrough(failsafe);
    }

    @Benchmark
    public Object failsafeCall() {
        return failsafeCalls.get(failsafeWork);
    }
}
