package dev.fusebox.demo;

import dev.fusebox.breaker.CallRejectedException;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Several callers at the same moment, when the breaker lets one of them through. Used once.
///
/// That caller waits inside the breaker until all others have been rejected, so that they are concurrent in every run,
/// and the others print their rejection once it is inside. [#come] blocks until all callers have an answer, at most
/// for the limits of these two waits.
final class DemoCallers {
    static final int SIZE = 5;

    /// Only reached when the breaker lets no caller or two callers through.
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Platform platform;
    private final DemoNarrator narrator;
    private final CircuitBreaker breaker;
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger letIn = new AtomicInteger();
    private final Queue<Thread> refusedOnes = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread inside;

    DemoCallers(Platform platform, DemoNarrator narrator, CircuitBreaker breaker) {
        this.platform = platform;
        this.narrator = narrator;
        this.breaker = breaker;
    }

    void come(DemoService service) throws InterruptedException {
        List<Thread> threads = IntStream.rangeClosed(1, SIZE)
                .mapToObj(number -> "caller " + number)
                .map(caller -> Thread.ofVirtual().name(caller).start(() -> call(caller, () -> service.weather(caller))))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        narrator.expect(letIn.get() == 1, "exactly one probe of " + SIZE + " callers, not " + letIn);
        narrator.expect(refused.get() == SIZE - 1, "all other callers rejected immediately, not " + refused);
    }

    private void call(String caller, Callable<String> work) {
        try {
            breaker.call(() -> {
                letIn.incrementAndGet();
                waitForTheOthers();
                return work.call();
            });
        } catch (CallRejectedException refusal) {
            tellOfRefusal(caller, refusal);
        } catch (IOException failedAsTold) {
            // The service has printed it.
            return;
        } catch (Exception unexpected) {
            narrator.expect(false, "only rejections and the service's failures, not " + unexpected);
        }
    }

    private void waitForTheOthers() throws InterruptedException {
        inside = Thread.currentThread();
        refusedOnes.forEach(LockSupport::unpark);
        boolean inTime = platform.await(LIMIT, () -> refused.get() == SIZE - 1);
        narrator.expect(inTime, "the others rejected during the probe");
    }

    private void tellOfRefusal(String caller, CallRejectedException refusal) {
        refusedOnes.add(Thread.currentThread());
        try {
            narrator.expect(platform.await(LIMIT, () -> inside != null), "an admitted call");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        narrator.line(caller, "is rejected during the probe: the breaker is " + refusal.state());
        refused.incrementAndGet();
        LockSupport.unpark(inside);
    }
}
