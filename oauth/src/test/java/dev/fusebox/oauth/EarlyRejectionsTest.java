package dev.fusebox.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.oauth.token.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EarlyRejectionsTest {
    private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final EarlyRejections rejections = new EarlyRejections();

    private static Tokens issued(Instant at, Duration lifetime) {
        return new Tokens("access", "refresh", at, at.plus(lifetime), Set.of());
    }

    private boolean isAllowed(Instant now) {
        return rejections.isAllowed(issued(now.minus(MINUTE), Duration.ofHours(1)), now);
    }

    @Test
    void tokens_that_are_rejected_early_are_refreshed_three_times_an_hour() {
        assertThat(isAllowed(NOW)).isTrue();
        assertThat(isAllowed(NOW.plus(MINUTE))).isTrue();
        assertThat(isAllowed(NOW.plus(MINUTE))).isTrue();
        assertThat(isAllowed(NOW.plus(MINUTE.multipliedBy(2)))).isFalse();
        assertThat(isAllowed(NOW.plus(MINUTE.multipliedBy(62)))).isTrue();
    }

    @Test
    void tokens_that_are_rejected_late_are_refreshed_as_often_as_they_are_rejected() {
        for (int i = 0; i < 100; i++) {
            assertThat(rejections.isAllowed(issued(NOW.minusSeconds(1), Duration.ofMillis(1_900)), NOW))
                    .isTrue();
        }
    }

    @Test
    void refreshes_that_were_counted_while_the_clock_was_ahead_do_not_count() {
        for (int i = 0; i < 3; i++) {
            assertThat(isAllowed(NOW.plus(Duration.ofDays(2)))).isTrue();
        }
        assertThat(isAllowed(NOW)).isTrue();
    }
}
