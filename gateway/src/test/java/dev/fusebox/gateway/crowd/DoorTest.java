package dev.fusebox.gateway.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.era.Gate;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DoorTest {
    private final Door door = new Door();

    @Test
    void nobody_comes_in_by_a_closed_door_and_whoever_is_inside_stays() throws InterruptedException {
        assertThat(door.enter()).isTrue();
        door.close();
        assertThat(door.enter()).isFalse();
        assertThat(door.inside()).isOne();
        assertThat(door.awaitEmpty(Gate.WORLD, Duration.ofMillis(1))).isFalse();
        door.leave();
        assertThat(door.awaitEmpty(Gate.WORLD, Gate.SOON)).isTrue();
        assertThat(door.enter()).isFalse();
    }

    @Test
    void a_door_that_closes_twice_before_nobody_is_empty_at_once() throws InterruptedException {
        door.close();
        door.close();
        assertThat(door.awaitEmpty(Gate.WORLD, Duration.ZERO)).isTrue();
        assertThat(door.inside()).isZero();
    }

    @Test
    void an_open_door_is_not_empty_however_many_have_left() throws InterruptedException {
        assertThat(door.enter()).isTrue();
        door.leave();
        assertThat(door.awaitEmpty(Gate.WORLD, Duration.ZERO)).isFalse();
    }

    @Test
    void of_many_who_race_with_closing_each_is_let_in_and_waited_for_or_turned_away() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            Door raced = new Door();
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
            assertThat(raced.awaitEmpty(Gate.WORLD, Gate.SOON)).isTrue();
            assertThat(inside).hasValue(0);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
