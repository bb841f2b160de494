package dev.fusebox.gateway.served;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdmissionTest {
    @Test
    void it_takes_so_many_calls_in_and_no_more() {
        Admission admission = new Admission(2, 1_000);
        assertThat(admission.tryEnter(1)).isTrue();
        assertThat(admission.tryEnter(1)).isTrue();
        assertThat(admission.tryEnter(1)).isFalse();
        admission.leave(1);
        assertThat(admission.tryEnter(1)).isTrue();
        assertThat(admission.calls()).isEqualTo(2);
    }

    @Test
    void it_takes_so_many_bytes_in_and_no_more() {
        Admission admission = new Admission(100, 10);
        assertThat(admission.tryEnter(6)).isTrue();
        assertThat(admission.tryEnter(5)).isFalse();
        assertThat(admission.tryEnter(4)).isTrue();
        admission.leave(6);
        assertThat(admission.tryEnter(5)).isTrue();
    }

    @Test
    void a_call_that_is_too_large_by_itself_comes_in_alone() {
        Admission admission = new Admission(100, 10);
        assertThat(admission.tryEnter(50)).isTrue();
        assertThat(admission.tryEnter(1)).isFalse();
        admission.leave(50);
        assertThat(admission.tryEnter(1)).isTrue();
        assertThat(admission.tryEnter(50)).isFalse();
    }
}
