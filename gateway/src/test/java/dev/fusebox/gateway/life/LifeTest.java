package dev.fusebox.gateway.life;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Patience;
import dev.fusebox.gateway.stateless.Gate;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class LifeTest {
    /// What is due is done by nobody here.
    private static final Life.Errands IDLE = new Life.Errands() {
        @Override
        public void read() {
            // Takes for ever.
        }

        @Override
        public void poll() {
            // Takes for ever.
        }
    };

    private static boolean isSettled(Life life, Duration limit) {
        try {
            return life.awaitSettled(limit);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private static boolean isSettled(Life life, Patience patience) {
        try {
            return life.awaitSettled(patience);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /// What this thread does is begun, and waits.
    private static FutureTask<Boolean> waiting(Callable<Boolean> work) {
        FutureTask<Boolean> task = new FutureTask<>(work);
        Thread thread = Thread.ofVirtual().start(task);
        eventually("the thread is waiting", () -> assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING));
        return task;
    }

    @Test
    void whoever_waits_for_a_server_that_leaves_does_not_wait_for_its_time_to_be_over() throws Exception {
        Life life = new Life(Gate.WORLD, new Life.Subject("one", LifeRules.usual(true)), IDLE, LifeEvent.Listener.NONE);
        life.command("restart requested", true);
        assertThat(isSettled(life, Duration.ofMillis(1))).isFalse();
        FutureTask<Boolean> waits = waiting(() -> isSettled(life, Duration.ofHours(1)));
        life.close();
        eventually("the wait is over", waits::isDone);
        life.connecting();
        assertThat(life.condition().status()).isEqualTo(Status.COMMAND_RECEIVED);
    }

    @Test
    void whoever_gives_up_waits_no_longer() throws Exception {
        Life life = new Life(Gate.WORLD, new Life.Subject("one", LifeRules.usual(true)), IDLE, LifeEvent.Listener.NONE);
        life.command("restart requested", true);
        Patience patience = Patience.endless(Gate.WORLD.ticker());
        FutureTask<Boolean> waits = waiting(() -> isSettled(life, patience));
        patience.giveUp();
        eventually("the wait is over", waits::isDone);
        assertThat(waits.get()).isFalse();
        life.close();
    }
}
