package dev.fusebox.bench;

import dev.fusebox.breaker.CircuitBreaker;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// A benchmark of the same call on a breaker after few calls and after many.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GrowthBenchmark {
    static final String FEW = "1000";
    static final String MANY = "10000000";

    private final CircuitBreaker consecutive = Ours.consecutive();
    private final CircuitBreaker window = Ours.window();
    private final CircuitBreaker open = Ours.open();

    @Param({FEW, MANY})
    int callsBefore;

    @Setup
    public void age() {
        for (int i = 0; i < callsBefore; i++) {
            Ours.letThrough(consecutive);
            Ours.letThrough(window);
            open.tryAcquire();
        }
    }

    @Benchmark
    public boolean consecutive() {
        return Ours.letThrough(consecutive);
    }

    @Benchmark
    public boolean window() {
        return Ours.letThrough(window);
    }

    @Benchmark
    public boolean refusal() {
        return Ours.letThrough(open);
    }
}
