package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a refused caller is told: in words, and field by field. */
class RejectionTest {
    /** The manual wall clock begins 400 microseconds after a full second; times for callers are full milliseconds. */
    private static final Instant COOLDOWN_OVER = Instant.parse("2026-01-01T00:00:30.001Z");

    @Test
    void a_call_at_the_promised_time_is_let_in() {
        Rig rig = Rig.consecutive(1);
        rig.fail(1);
        Instant promised = promised(rig.rejection());
        assertThat(promised).isEqualTo(COOLDOWN_OVER);
        rig.time.advance(Duration.between(rig.time.instant(), promised));
        rig.permit();
    }

    @Test
    void the_promised_time_does_not_depend_on_when_it_is_read() {
        Rig rig = Rig.consecutive(1);
        rig.fail(1);
        Rejection rejection = rig.rejection();
        rig.time.advance(Duration.ofSeconds(10));
        assertThat(rejection.retryAt()).isEqualTo(COOLDOWN_OVER);
        assertThat(rejection.message()).contains("do not retry before 2026-01-01T00:00:30.001Z");
    }

    private static Instant promised(Rejection rejection) {
        @Nullable Instant at = rejection.retryAt();
        assertThat(at).isNotNull();
        return at == null ? Instant.MAX : at;
    }
}
