package dev.fusebox.bench;

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

/// A benchmark of a successful call through a breaker with a one-minute window. All threads share one breaker.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WindowBenchmark {
    private final CircuitBreaker ours = Ours.window();
    private final CircuitBreaker oursSlow = Ours.windowWithSlowCalls();
    private final io.github.resilience4j.circuitbreaker.CircuitBreaker lockFree =
            Peers.resilience4jTime(SlidingWindowSynchronizationStrategy.LOCK_FREE);
    private final io.github.resilience4j.circuitbreaker.CircuitBreaker locking =
            Peers.resilience4jTime(SlidingWindowSynchronizationStrategy.SYNCHRONIZED);
    private final dev.failsafe.CircuitBreaker<Object> failsafe = Peers.failsafeTime();

    private Object answer = new Object();
    private final Callable<Object> work = () -> answer;

    @Benchmark
    public Object oursCall() throws Exception {
        return ours.call(work);
    }

    @Benchmark
    public boolean oursPermit() {
        return Ours.letThrough(ours);
    }

    @Benchmark
    public Object oursSlowCall() throws Exception {
        return oursSlow.call(work);
    }

    @Benchmark
    public boolean oursSlowPermit() {
        return Ours.letThrough(oursSlow);
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
    public boolean failsafe() {
        return Peers.letThrough(failsafe);
    }
}
