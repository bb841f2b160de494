package dev.fusebox.examples;

import dev.fusebox.breaker.Bulkhead;
import dev.fusebox.breaker.CallRejectedException;
import dev.fusebox.breaker.CircuitBreaker;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/// A thousand virtual threads that call one server with a capacity of ten concurrent calls.
///
/// For Java 21 and newer; the other examples are for Java 17. The bulkhead lets ten in and queues the others; the
/// breaker stands behind it, so that calls which have waited
/// meanwhile are refused as soon as the server is known to be down. Thread-safe; [#call] blocks while it queues.
public final class VirtualThreads {
    static final int CALLERS = 1_000;
    static final int AT_ONCE = 10;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final CircuitBreaker breaker = CircuitBreaker.of("search");
    private final Bulkhead bulkhead = new Bulkhead(AT_ONCE, CALLERS);

    public static void main(String[] args) {
        run(System.out);
    }

    <T> T call(Callable<T> work) throws Exception {
        switch (bulkhead.enter(LONGEST_WAIT)) {
            case Bulkhead.Slot slot -> {
                try (slot) {
                    return breaker.call(work);
                }
            }
            case Bulkhead.Full full -> throw new IOException("no free slot for the call: " + full);
        }
    }

    static void run(PrintStream out) {
        var server = new Server();
        var guarded = new VirtualThreads();
        out.println("healthy: " + guarded.callFromManyThreads(server));
        server.down.set(true);
        out.println("down:    " + guarded.callFromManyThreads(server));
        out.println("at most " + server.maxAtOnce + " at once");
    }

    private Tally callFromManyThreads(Server server) {
        var tally = new Counters();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, CALLERS).forEach(caller -> threads.execute(() -> count(server, tally)));
        }
        return tally.sum();
    }

    private void count(Server server, Counters tally) {
        try {
            call(server::answer);
            tally.answered.increment();
        } catch (CallRejectedException refused) {
            tally.refused.increment();
        } catch (Exception failed) {
            tally.failed.increment();
        }
    }

    /// The number of calls by outcome.
    record Tally(long answered, long failed, long refused) {
        @Override
        public String toString() {
            return answered + " answered, " + failed + " failed, " + refused + " refused";
        }
    }

    private static final class Counters {
        final LongAdder answered = new LongAdder();
        final LongAdder failed = new LongAdder();
        final LongAdder refused = new LongAdder();

        Tally sum() {
            return new Tally(answered.sum(), failed.sum(), refused.sum());
        }
    }

    /// A simulated remote server: answers ten callers concurrently and records the maximum concurrency.
    private static final class Server {
        final AtomicBoolean down = new AtomicBoolean();
        final AtomicInteger maxAtOnce = new AtomicInteger();
        private final AtomicInteger atOnce = new AtomicInteger();
        private final CyclicBarrier tenCallers = new CyclicBarrier(AT_ONCE);

        String answer() throws Exception {
            maxAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            try {
                if (down.get()) {
                    throw new IOException("connection refused");
                }
                tenCallers.await(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS);
                return "42";
            } finally {
                atOnce.decrementAndGet();
            }
        }
    }
}
