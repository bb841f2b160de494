package dev.fusebox.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FrontLimitsTest {
    @Test
    void it_takes_so_many_calls_in_and_no_more() {
        FrontLimits frontLimits = new FrontLimits(2, 1_000);
        assertThat(frontLimits.tryEnter(1)).isTrue();
        assertThat(frontLimits.tryEnter(1)).isTrue();
        assertThat(frontLimits.tryEnter(1)).isFalse();
        frontLimits.leave(1);
        assertThat(frontLimits.tryEnter(1)).isTrue();
        assertThat(frontLimits.calls()).isEqualTo(2);
    }

    @Test
    void it_takes_so_many_bytes_in_and_no_more() {
        FrontLimits frontLimits = new FrontLimits(100, 10);
        assertThat(frontLimits.tryEnter(6)).isTrue();
        assertThat(frontLimits.tryEnter(5)).isFalse();
        assertThat(frontLimits.tryEnter(4)).isTrue();
        frontLimits.leave(6);
        assertThat(frontLimits.tryEnter(5)).isTrue();
    }

    @Test
    void a_call_that_is_too_large_by_itself_comes_in_alone() {
        FrontLimits frontLimits = new FrontLimits(100, 10);
        assertThat(frontLimits.tryEnter(50)).isTrue();
        assertThat(frontLimits.tryEnter(1)).isFalse();
        frontLimits.leave(50);
        assertThat(frontLimits.tryEnter(1)).isTrue();
        assertThat(frontLimits.tryEnter(50)).isFalse();
    }
}
