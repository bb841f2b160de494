package dev.fusebox.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
    private final ManualTime time = new ManualTime();
    private final AtomicInteger signs = new AtomicInteger();
    private final Heartbeat heartbeat = new Heartbeat(time.platform().timers(), signs::incrementAndGet);

    @Test
    void heartbeat_repeats_before_proxy_timeouts_until_stopped() {
        heartbeat.start();
        time.advance(Duration.ofSeconds(14));
        assertThat(signs.get()).isZero();
        time.advance(Duration.ofSeconds(46));
        assertThat(signs.get()).isEqualTo(4);

        heartbeat.stop();
        time.advance(Duration.ofMinutes(10));
        assertThat(signs.get()).isEqualTo(4);
        assertThat(time.pending()).isZero();
    }

    @Test
    void heartbeat_stopped_by_its_own_callback_does_not_repeat() {
        var once = new Heartbeat[1];
        once[0] = new Heartbeat(time.platform().timers(), () -> {
            signs.incrementAndGet();
            once[0].stop();
        });
        once[0].start();
        time.advance(Duration.ofMinutes(10));
        assertThat(signs.get()).isEqualTo(1);
        assertThat(time.pending()).isZero();
    }
}
