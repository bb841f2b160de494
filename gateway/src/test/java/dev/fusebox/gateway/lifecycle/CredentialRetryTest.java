package dev.fusebox.gateway.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The backoff for rejected credentials.
class CredentialRetryTest {
    private final CredentialRetry retry = new CredentialRetry();

    private static long at(double seconds) {
        return (long) (seconds * 1e9);
    }

    @Test
    void two_rejections_within_300_ms_block_calls_for_five_seconds() {
        retry.refused(at(0));
        retry.refused(at(0.3));
        assertThat(retry.tryNow(at(4.9))).isFalse();
        assertThat(retry.left(at(4))).isEqualTo(Duration.ofSeconds(1));
        assertThat(retry.tryNow(at(5))).isTrue();
    }

    @Test
    void backoff_doubles_up_to_five_minutes_and_each_try_is_one_call() {
        retry.refused(0);
        List<Long> pauses = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < 9; i++) {
            Duration left = retry.left(now);
            pauses.add(left.toSeconds());
            now += left.toNanos();
            assertThat(retry.tryNow(now)).isTrue();
            assertThat(retry.tryNow(now)).isFalse();
            retry.refused(now);
        }
        assertThat(pauses).containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 300L, 300L, 300L);
    }

    @Test
    void accepted_credentials_reset_the_backoff() {
        retry.refused(0);
        retry.tryNow(at(5));
        retry.clear();
        retry.refused(at(100));
        assertThat(retry.left(at(100))).isEqualTo(Duration.ofSeconds(5));
    }
}
