package dev.fusebox.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.era.Gate;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DrainLatchTest {
    private final DrainLatch drainLatch = new DrainLatch();

    @Test
    void nobody_comes_in_by_a_closed_door_and_whoever_is_inside_stays() throws InterruptedException {
        assertThat(drainLatch.enter()).isTrue();
        drainLatch.close();
        assertThat(drainLatch.enter()).isFalse();
        assertThat(drainLatch.inside()).isOne();
        assertThat(drainLatch.awaitEmpty(Gate.PLATFORM, Duration.ofMillis(1))).isFalse();
        drainLatch.leave();
        assertThat(drainLatch.awaitEmpty(Gate.PLATFORM, Gate.SOON)).isTrue();
        assertThat(drainLatch.enter()).isFalse();
    }

    @Test
    void a_door_that_closes_twice_before_nobody_is_empty_at_once() throws InterruptedException {
        drainLatch.close();
        drainLatch.close();
        assertThat(drainLatch.awaitEmpty(Gate.PLATFORM, Duration.ZERO)).isTrue();
        assertThat(drainLatch.inside()).isZero();
    }

    @Test
    void an_open_door_is_not_empty_however_many_have_left() throws InterruptedException {
        assertThat(drainLatch.enter()).isTrue();
        drainLatch.leave();
        assertThat(drainLatch.awaitEmpty(Gate.PLATFORM, Duration.ZERO)).isFalse();
    }

    @Test
    void of_many_who_race_with_closing_each_is_let_in_and_waited_for_or_turned_away() throws InterruptedException {
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
            assertThat(raced.awaitEmpty(Gate.PLATFORM, Gate.SOON)).isTrue();
            assertThat(inside).hasValue(0);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
