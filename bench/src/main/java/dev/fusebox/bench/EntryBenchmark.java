package dev.fusebox.bench;

import dev.fusebox.breaker.Bulkhead;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// A benchmark of an uncontended acquire and release: the gateway's fair bulkhead beside the library's bulkhead,
/// which knows neither clients nor bytes.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EntryBenchmark {
    private static final int PLACES = 1_000;

    private final Bulkhead bulkhead = new Bulkhead(PLACES, PLACES);
    private final Platform platform = Platform.system();
    private final FairBulkhead fairBulkhead =
            new FairBulkhead(new FairBulkhead.Limits(PLACES, PLACES, 1L << 26), platform);
    private final Object client = new Object();
    private final Deadline deadline = new Deadline(Duration.ofDays(1), Duration.ZERO, platform.ticker());

    @Benchmark
    public boolean bulkhead() throws InterruptedException {
        if (bulkhead.enter(Duration.ofSeconds(1)) instanceof Bulkhead.Slot slot) {
            slot.close();
            return true;
        }
        return false;
    }

    @Benchmark
    public boolean turnstile() throws InterruptedException {
        if (fairBulkhead.enter(client, 200, deadline) instanceof FairBulkhead.Slot place) {
            place.answered();
            place.close();
            return true;
        }
        return false;
    }
}
