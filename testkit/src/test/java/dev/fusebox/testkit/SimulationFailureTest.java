package dev.fusebox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.Simulation.Scenario;
import dev.fusebox.testkit.SimulationFailure.Reason;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SimulationFailureTest {
    private static final long SEED = 4711;

    private static SimulationFailure failureOf(Scenario scenario) {
        return failureOf(Limits.defaults(), scenario);
    }

    private static SimulationFailure failureOf(Limits limits, Scenario scenario) {
        var failure = catchThrowableOfType(SimulationFailure.class, () -> Simulation.run(SEED, limits, scenario));
        assertThat(failure).isNotNull();
        assertThat(failure.seed()).isEqualTo(SEED);
        assertThat(failure).hasMessageContaining("-Dfusebox.seed=4711");
        return failure;
    }

    @Test
    void exception_of_a_thread_fails_the_run_with_seed_name_and_cause() {
        var failure = failureOf(sim -> sim.spawn("clumsy", () -> {
            throw new IllegalStateException("dropped it");
        }));

        assertThat(failure.reason()).isEqualTo(Reason.THREW);
        assertThat(failure).hasMessageContaining("'clumsy' threw").cause().hasMessage("dropped it");
        assertThat(failure.trace().steps()).extracting(Trace.Step::who).containsExactly("main", "clumsy");
    }

    @Test
    void exception_of_scenario_action_or_inner_thread_fails_the_run() {
        assertThat(failureOf(sim -> throwIt()).reason()).isEqualTo(Reason.THREW);
        assertThat(failureOf(sim -> sim.platform().timers().schedule(Duration.ZERO, SimulationFailureTest::throwIt)))
                .hasMessageContaining("'timer 1' threw");
        assertThat(failureOf(sim -> Thread.ofVirtual().name("inner").start(SimulationFailureTest::throwIt)))
                .hasMessageContaining("'inner' threw");
    }

    private static void throwIt() {
        throw new IllegalStateException("thrown on purpose");
    }

    @Test
    void failing_check_stops_the_run_at_that_step() {
        var count = new AtomicInteger();
        var failure = failureOf(sim -> {
            sim.afterEachStep(() -> assertThat(count).hasValueLessThan(2));
            for (int i = 0; i < 5; i++) {
                sim.spawn("adder", count::incrementAndGet);
            }
        });

        assertThat(failure.reason()).isEqualTo(Reason.CHECK_FAILED);
        assertThat(failure.trace().steps()).hasSize(3);
    }

    @Test
    void failing_check_at_the_end_fails_the_run() {
        assertThat(failureOf(sim -> sim.atEnd(SimulationFailureTest::throwIt)).reason())
                .isEqualTo(Reason.CHECK_FAILED);
    }

    @Test
    void deadlock_is_reported_with_names_and_stacks() {
        var failure = failureOf(sim -> {
            var one = new ReentrantLock();
            var two = new ReentrantLock();
            sim.spawn("forward", () -> takeBoth(one, two, sim.platform()));
            sim.spawn("backward", () -> takeBoth(two, one, sim.platform()));
        });

        assertThat(failure.reason()).isEqualTo(Reason.STUCK);
        assertThat(failure)
                .hasMessageContaining("'forward' WAITING")
                .hasMessageContaining("'backward' WAITING")
                .hasMessageContaining("SimulationFailureTest.takeBoth");
    }

    private static void takeBoth(ReentrantLock first, ReentrantLock second, Platform platform)
            throws InterruptedException {
        first.lock();
        platform.pause(Duration.ofSeconds(1));
        second.lock();
    }

    @Test
    void endless_run_is_stopped_at_its_step_limit() {
        var failure = failureOf(Limits.defaults().withSteps(500), sim -> {
            while (sim.seed() == SEED) {
                sim.giveWay();
            }
        });

        assertThat(failure.reason()).isEqualTo(Reason.ENDLESS);
        assertThat(failure).hasMessageContaining("no end after 500 steps").hasMessageContaining("'main'");
        assertThat(failure.trace().steps()).hasSize(500);
    }

    @Test
    void wait_with_a_real_time_limit_is_reported() {
        var failure = failureOf(sim -> sim.spawn(
                "impatient",
                () -> assertThat(new Semaphore(0).tryAcquire(1, TimeUnit.HOURS)).isTrue()));

        assertThat(failure.reason()).isEqualTo(Reason.OUTSIDE);
        assertThat(failure).hasMessageContaining("real time").hasMessageContaining("'impatient' TIMED_WAITING");
    }

    private static void waitHolding(Object monitor, Simulation sim) throws InterruptedException {
        synchronized (monitor) {
            sim.platform().pause(Duration.ofSeconds(1));
        }
    }

    @Test
    void monitor_held_by_a_waiting_thread_is_reported() {
        var failure = failureOf(sim -> {
            var monitor = new Object();
            sim.spawn("one", () -> waitHolding(monitor, sim));
            sim.spawn("two", () -> waitHolding(monitor, sim));
        });

        assertThat(failure.reason()).isEqualTo(Reason.OUTSIDE);
        assertThat(failure).hasMessageContaining("a monitor is held").hasMessageContaining("BLOCKED");
    }

    @Test
    void lock_held_outside_is_reported_with_the_stack_of_the_waiting_thread() throws InterruptedException {
        var lock = new ReentrantLock();
        var held = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        Thread holder = Thread.ofPlatform().start(() -> hold(lock, held, release));
        assertThat(held.await(50, TimeUnit.SECONDS)).isTrue();

        var failure = failureOf(sim -> sim.spawn("victim", lock::lock));

        assertThat(failure.reason()).isEqualTo(Reason.STUCK);
        assertThat(failure).hasMessageContaining("'victim' WAITING").hasMessageContaining("ReentrantLock.lock");
        release.countDown();
        assertThat(holder.join(Duration.ofSeconds(50))).isTrue();
    }

    private static void hold(ReentrantLock lock, CountDownLatch held, CountDownLatch release) {
        lock.lock();
        try {
            held.countDown();
            assertThat(release.await(50, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    @Test
    void thread_that_never_releases_the_carrier_is_reported_within_the_bound() {
        var stop = new AtomicBoolean();
        var failure = failureOf(
                Limits.defaults().withRealTime(Duration.ofMillis(500)), sim -> sim.spawn("spinner", () -> spin(stop)));
        stop.set(true);

        assertThat(failure.reason()).isEqualTo(Reason.OUTSIDE);
        assertThat(failure).hasMessageContaining("'spinner'").hasMessageContaining("SimulationFailureTest.spin");
    }

    private static void spin(AtomicBoolean stop) {
        while (!stop.get()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void wake_up_from_outside_is_reported() {
        var failure = failureOf(sim -> {
            Thread sleeper = sim.spawn("sleeper", LockSupport::park);
            sim.giveWay();
            sim.giveWay();
            var outside = Thread.ofPlatform().name("outsider").unstarted(() -> LockSupport.unpark(sleeper));
            sim.spawn("caller of others", () -> {
                while (sleeper.getState() != Thread.State.WAITING) {
                    sim.giveWay();
                }
                outside.start();
                spinUntilEnded(outside);
            });
        });

        assertThat(failure.reason()).isEqualTo(Reason.OUTSIDE);
        assertThat(failure).hasMessageContaining("'sleeper' was woken by 'outsider'");
    }

    private static void spinUntilEnded(Thread thread) {
        while (thread.isAlive()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void platform_of_a_simulation_rejects_other_threads() {
        var platform = new AtomicReference<Platform>();
        Simulation.run(1, sim -> platform.set(sim.platform()));

        var thrown = catchThrowableOfType(
                IllegalStateException.class, () -> platform.get().timers().schedule(Duration.ZERO, () -> {}));

        assertThat(thrown).hasMessageContaining("outside of the simulation");
    }

    private static void takeIfThere(Simulation sim, AtomicInteger balance) {
        if (balance.get() > 0) {
            sim.giveWay();
            balance.decrementAndGet();
        }
    }

    @Test
    void failing_run_fails_again_in_the_same_way() {
        Scenario racy = sim -> {
            var balance = new AtomicInteger(1);
            sim.spawn("one taker", () -> takeIfThere(sim, balance));
            sim.spawn("other taker", () -> takeIfThere(sim, balance));
            sim.atEnd(() -> assertThat(balance).hasValue(0));
        };

        var failure = catchThrowableOfType(
                SimulationFailure.class, () -> new Seeds(0, 100, Limits.defaults(), false).run(racy));
        var again = catchThrowableOfType(SimulationFailure.class, () -> Simulation.run(failure.seed(), racy));

        assertThat(again.trace()).isEqualTo(failure.trace());
        assertThat(again).hasMessage(failure.getMessage());
    }
}
