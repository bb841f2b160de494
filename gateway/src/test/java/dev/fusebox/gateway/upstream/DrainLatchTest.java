package dev.fusebox.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.era.SingleServerHarness;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DrainLatchTest {
    private final DrainLatch drainLatch = new DrainLatch();

    @Test
    void closed_latch_admits_no_call_and_calls_in_flight_continue() throws InterruptedException {
        assertThat(drainLatch.enter()).isTrue();
        drainLatch.close();
        assertThat(drainLatch.enter()).isFalse();
        assertThat(drainLatch.inFlight()).isOne();
        assertThat(drainLatch.awaitEmpty(SingleServerHarness.PLATFORM, Duration.ofMillis(1)))
                .isFalse();
        drainLatch.leave();
        assertThat(drainLatch.awaitEmpty(SingleServerHarness.PLATFORM, SingleServerHarness.SOON))
                .isTrue();
        assertThat(drainLatch.enter()).isFalse();
    }

    @Test
    void empty_latch_that_is_closed_twice_is_drained_at_once() throws InterruptedException {
        drainLatch.close();
        drainLatch.close();
        assertThat(drainLatch.awaitEmpty(SingleServerHarness.PLATFORM, Duration.ZERO))
                .isTrue();
        assertThat(drainLatch.inFlight()).isZero();
    }

    @Test
    void open_latch_is_never_drained() throws InterruptedException {
        assertThat(drainLatch.enter()).isTrue();
        drainLatch.leave();
        assertThat(drainLatch.awaitEmpty(SingleServerHarness.PLATFORM, Duration.ZERO))
                .isFalse();
    }

    @Test
    void calls_that_race_with_close_are_admitted_and_drained_or_rejected() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            DrainLatch raced = new DrainLatch();
            AtomicInteger inside = new AtomicInteger();
            var threads = IntStream.range(0, 8)
                    .mapToObj(each -> Thread.ofVirtual().start(() -> {
                        while (raced.enter()) {
                            inside.incrementAndGet();
                            inside.decrementAndGet();
                            raced.leave();
                        }
                    }))
                    .toList();
            raced.close();
            assertThat(raced.awaitEmpty(SingleServerHarness.PLATFORM, SingleServerHarness.SOON))
                    .isTrue();
            assertThat(inside).hasValue(0);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
