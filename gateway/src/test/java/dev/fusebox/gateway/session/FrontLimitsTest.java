package dev.fusebox.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FrontLimitsTest {
    @Test
    void calls_beyond_the_limit_are_rejected() {
        FrontLimits frontLimits = new FrontLimits(2, 1_000);
        assertThat(frontLimits.tryEnter(1)).isTrue();
        assertThat(frontLimits.tryEnter(1)).isTrue();
        assertThat(frontLimits.tryEnter(1)).isFalse();
        frontLimits.leave(1);
        assertThat(frontLimits.tryEnter(1)).isTrue();
        assertThat(frontLimits.calls()).isEqualTo(2);
    }

    @Test
    void bytes_beyond_the_limit_are_rejected() {
        FrontLimits frontLimits = new FrontLimits(100, 10);
        assertThat(frontLimits.tryEnter(6)).isTrue();
        assertThat(frontLimits.tryEnter(5)).isFalse();
        assertThat(frontLimits.tryEnter(4)).isTrue();
        frontLimits.leave(6);
        assertThat(frontLimits.tryEnter(5)).isTrue();
    }

    @Test
    void call_above_the_byte_limit_is_admitted_alone() {
        FrontLimits frontLimits = new FrontLimits(100, 10);
        assertThat(frontLimits.tryEnter(50)).isTrue();
        assertThat(frontLimits.tryEnter(1)).isFalse();
        frontLimits.leave(50);
        assertThat(frontLimits.tryEnter(1)).isTrue();
        assertThat(frontLimits.tryEnter(50)).isFalse();
    }
}
