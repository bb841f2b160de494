package dev.fusebox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.testkit.Simulation.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SimulationTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /// Always all of them, even when one seed is replayed: the tests assert their variety.
    private static final Seeds HUNDRED = new Seeds(0, 100, Limits.defaults(), false);

    /// Callers that hold one of two places for a random time.
    static final Scenario TWO_PLACES = sim -> {
        var places = new LinkedBlockingQueue<>(List.of("left", "right"));
        for (int i = 1; i <= 4; i++) {
            sim.spawn("caller " + i, () -> {
                sim.giveWay();
                String place = places.take();
                sim.platform().pause(Duration.ofMillis(sim.platform().random().nextInt(1, 4)));
                places.put(place);
            });
        }
        sim.afterEachStep(() -> assertThat(places).hasSizeLessThanOrEqualTo(2));
    };

    @Test
    void example_of_the_class_comment_works() {
        Trace trace = Simulation.run(42, sim -> {
            Platform platform = sim.platform();
            var door = new CountDownLatch(1);
            sim.spawn("opener", () -> {
                platform.pause(Duration.ofSeconds(30));
                door.countDown();
            });
            sim.spawn("visitor", door::await);
            sim.atEnd(() -> assertThat(sim.elapsed()).isEqualTo(Duration.ofSeconds(30)));
        });

        assertThat(trace.steps()).extracting(Trace.Step::who).contains("main", "opener", "visitor", "timer 1");
    }

    @Test
    void one_seed_takes_the_same_steps_a_thousand_times() {
        Trace first = Simulation.run(7, TWO_PLACES);

        for (int i = 0; i < 1000; i++) {
            Trace again = Simulation.run(7, TWO_PLACES);
            assertThat(again).isEqualTo(first);
            assertThat(again.hash()).isEqualTo(first.hash());
        }
    }

    @Test
    void different_seeds_take_different_steps() {
        Set<Long> hashes = LongStream.range(0, 200)
                .mapToObj(seed -> Simulation.run(seed, TWO_PLACES).hash())
                .collect(Collectors.toSet());

        assertThat(hashes).hasSizeGreaterThan(190);
    }

    @Test
    void every_order_of_three_threads_is_found() {
        Set<List<String>> orders = LongStream.range(0, 100)
                .mapToObj(seed -> Simulation.run(seed, sim -> {
                    for (String name : List.of("a", "b", "c")) {
                        sim.spawn(name, () -> {});
                    }
                }))
                .map(trace -> trace.steps().stream().map(Trace.Step::who).toList())
                .collect(Collectors.toSet());

        assertThat(orders).hasSize(6);
    }

    @Test
    void random_numbers_of_platform_and_scenario_depend_only_on_the_seed() {
        var drawn = new ArrayList<Long>();
        Scenario draw = sim -> {
            drawn.add(sim.random().nextLong());
            drawn.add(sim.platform().random().nextLong());
        };

        Simulation.run(3, draw);
        Simulation.run(3, draw);
        Simulation.run(4, draw);

        assertThat(drawn.subList(2, 4)).isEqualTo(drawn.subList(0, 2));
        assertThat(drawn.subList(4, 6)).doesNotContainAnyElementsOf(drawn.subList(0, 2));
        assertThat(drawn.get(0)).isNotEqualTo(drawn.get(1));
    }

    @Test
    void bounded_wait_ends_exactly_at_its_time_for_any_clock_origin() {
        var starts = new ArrayList<Long>();
        var wrapped = new AtomicInteger();
        HUNDRED.run(sim -> {
            Platform platform = sim.platform();
            long start = platform.ticker().nanos();
            starts.add(start);
            assertThat(platform.await(Duration.ofSeconds(20), () -> false)).isFalse();
            assertThat(sim.elapsed()).isEqualTo(Duration.ofSeconds(20));
            assertThat(platform.ticker().nanos() - start).isEqualTo(20_000_000_000L);
            assertThat(platform.wallClock().instant()).isEqualTo("2026-01-01T00:00:20Z");
            if (platform.ticker().nanos() < start) {
                wrapped.incrementAndGet();
            }
        });

        assertThat(wrapped.get()).isGreaterThan(5);
        assertThat(starts).hasSize(100);
    }

    @Test
    void spurious_wake_ups_do_not_shorten_a_wait() {
        Seeds.count(50).run(sim -> {
            Thread sleeper = sim.spawn("sleeper", () -> {
                sim.platform().pause(SECOND);
                assertThat(sim.elapsed()).isEqualTo(SECOND);
            });
            sim.spawn("noise", () -> {
                for (int i = 0; i < 9; i++) {
                    sim.platform().pause(Duration.ofMillis(100));
                    LockSupport.unpark(sleeper);
                }
            });
        });
    }

    @Test
    void unpark_before_the_wait_is_not_lost() {
        Seeds.count(50).run(sim -> {
            var told = new AtomicBoolean();
            Thread waiting = sim.spawn("waiting", () -> {
                sim.giveWay();
                assertThat(sim.platform().await(SECOND, told::get)).isTrue();
                assertThat(sim.elapsed()).isEqualTo(Duration.ZERO);
            });
            told.set(true);
            LockSupport.unpark(waiting);
            sim.spawn("parks", () -> {
                LockSupport.unpark(Thread.currentThread());
                sim.platform().timers().park(SECOND.toNanos());
                assertThat(sim.elapsed()).isEqualTo(Duration.ZERO);
            });
        });
    }

    @Test
    void wait_that_ends_early_leaves_no_timer() {
        Seeds.count(20).run(sim -> {
            Thread waiting = Thread.currentThread();
            var told = new AtomicBoolean();
            sim.platform().timers().schedule(SECOND, () -> {
                told.set(true);
                LockSupport.unpark(waiting);
            });
            assertThat(sim.platform().await(Duration.ofHours(1), told::get)).isTrue();
            sim.atEnd(() -> assertThat(sim.elapsed()).isEqualTo(SECOND));
        });
    }

    @Test
    void late_unpark_does_not_shorten_the_next_wait() {
        Seeds.count(50).run(sim -> {
            Thread waiting = sim.spawn("waiting", () -> {
                assertThat(sim.platform().await(SECOND, () -> false)).isFalse();
                sim.giveWay();
                assertThat(sim.platform().await(SECOND, () -> false)).isFalse();
                assertThat(sim.elapsed()).isEqualTo(SECOND.multipliedBy(2));
            });
            sim.spawn("late", () -> {
                sim.platform().pause(SECOND);
                LockSupport.unpark(waiting);
            });
        });
    }

    @Test
    void simultaneous_wake_up_and_time_limit_occur_in_both_orders() {
        var results = new ArrayList<Boolean>();
        HUNDRED.run(sim -> {
            var told = new AtomicBoolean();
            Thread waiting =
                    sim.spawn("waiting", () -> results.add(sim.platform().await(SECOND, told::get)));
            sim.spawn("teller", () -> {
                sim.platform().pause(SECOND);
                told.set(true);
                LockSupport.unpark(waiting);
            });
        });

        assertThat(results).contains(true, false);
    }

    @Test
    void interrupt_ends_a_wait_at_once() {
        Simulation.run(1, sim -> {
            Thread waiting = sim.spawn("waiting", () -> {
                try {
                    sim.platform().pause(SECOND);
                    throw new AssertionError("the pause was not interrupted");
                } catch (InterruptedException expected) {
                    assertThat(sim.elapsed()).isEqualTo(Duration.ofMillis(5));
                }
            });
            sim.platform().pause(Duration.ofMillis(5));
            waiting.interrupt();
        });
    }

    @Test
    void timers_of_the_same_time_run_in_order_of_registration() {
        Seeds.count(20).run(sim -> {
            var ran = new ArrayList<String>();
            var timers = sim.platform().timers();
            timers.schedule(SECOND, () -> ran.add("a"));
            Timer cancelled = timers.schedule(SECOND, () -> ran.add("never"));
            var own = new AtomicReference<Timer>();
            own.set(timers.schedule(
                    SECOND, () -> ran.add("own cancel: " + own.get().cancel())));
            assertThat(cancelled.cancel()).isTrue();
            assertThat(cancelled.cancel()).isFalse();
            sim.atEnd(() -> {
                assertThat(ran).containsExactly("a", "own cancel: false");
                assertThat(own.get().cancel()).isFalse();
            });
        });
    }

    @Test
    void threads_started_by_simulated_threads_belong_to_the_simulation() {
        Seeds.count(50).replayingEach().run(sim -> {
            var inner = new AtomicInteger();
            Thread unnamed = Thread.ofVirtual().start(() -> {
                sim.giveWay();
                inner.incrementAndGet();
            });
            Thread named = Thread.ofVirtual().name("named").start(inner::incrementAndGet);
            unnamed.join();
            named.join();
            assertThat(inner).hasValue(2);
        });
    }

    private static void waitHolding(ReentrantLock lock, Simulation sim) throws InterruptedException {
        lock.lock();
        try {
            sim.platform().pause(SECOND);
        } finally {
            lock.unlock();
        }
    }

    @Test
    void locks_of_java_util_concurrent_may_be_held_while_waiting() {
        Seeds.count(50).replayingEach().run(sim -> {
            var lock = new ReentrantLock(true);
            for (int i = 0; i < 3; i++) {
                sim.spawn("holder " + i, () -> waitHolding(lock, sim));
            }
            sim.atEnd(() -> assertThat(sim.elapsed()).isEqualTo(SECOND.multipliedBy(3)));
        });
    }

    @Test
    void an_hour_of_ticks_is_simulated_in_one_run() {
        Trace trace = Simulation.run(1, sim -> {
            for (int i = 0; i < 3600; i++) {
                sim.platform().pause(SECOND);
            }
        });

        assertThat(trace.steps()).hasSize(1 + 2 * 3600);
        assertThat(trace.steps().getLast().nanos()).isEqualTo(3_600_000_000_000L);
    }
}
