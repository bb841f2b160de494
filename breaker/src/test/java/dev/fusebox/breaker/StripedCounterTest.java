package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, unit = TimeUnit.SECONDS)
class StripedCounterTest {
    private static final int THREADS = 70;
    private static final int EACH = 10_000;

    private final StripedCounter counter = new StripedCounter();

    @Test
    void it_begins_with_nothing() {
        assertThat(counter.sum()).isZero();
    }

    @Test
    void no_increment_is_lost_although_threads_share_stripes() throws Exception {
        Callable<Void> incrementing = () -> {
            IntStream.range(0, EACH).forEach(each -> counter.increment());
            return null;
        };
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Void>> all =
                    IntStream.range(0, THREADS).mapToObj(each -> incrementing).toList();
            for (Future<Void> done : threads.invokeAll(all)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(counter.sum()).isEqualTo((long) THREADS * EACH);
    }
}
