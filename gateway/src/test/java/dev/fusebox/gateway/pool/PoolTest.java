package dev.fusebox.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.PoolRules;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PoolTest {
    private static final PoolRules RULES = new PoolRules(
            1,
            new PoolRules.Reserve(0, Duration.ofSeconds(5)),
            new PoolRules.IdleRules(0, Duration.ofMinutes(5)),
            new PoolRules.Waiting(10, Duration.ofMillis(20)));

    /// A machine that has nothing left to start a timer with.
    private static final Platform WITHOUT_TIMERS = new Platform(
            SingleServerHarness.PLATFORM.ticker(),
            SingleServerHarness.PLATFORM.wallClock(),
            SingleServerHarness.PLATFORM.random(),
            new Timers() {
                @Override
                public void park(long nanos) {
                    SingleServerHarness.PLATFORM.timers().park(nanos);
                }

                @Override
                public Timer schedule(Duration delay, Runnable action) {
                    throw new OutOfMemoryError("no timer is left");
                }
            },
            SingleServerHarness.PLATFORM.environment(),
            SingleServerHarness.PLATFORM.processes(),
            SingleServerHarness.PLATFORM.peerUsers());

    @Test
    void waiter_without_timers_gets_a_slot_or_a_rejection_and_leaves_no_state() {
        try (Pool pool = new Pool(WITHOUT_TIMERS, "pool.poolSize", RULES)) {
            assertThat(pool.enter(TestBorrower.called("one"), Priority.NEEDED)).isInstanceOf(Pool.Entry.Granted.class);
            assertThat(pool.enter(TestBorrower.called("two"), Priority.NEEDED)).isInstanceOf(Pool.Entry.Refused.class);
            assertThat(pool.snapshot().waiting()).isZero();
        }
    }
}
