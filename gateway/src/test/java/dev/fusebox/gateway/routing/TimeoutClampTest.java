package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeoutClampTest {
    private final ManualTime time = new ManualTime();
    private final Deadline outer = new Deadline(
            Duration.ofMinutes(1), Duration.ofMinutes(5), time.platform().ticker());

    private TimeoutClamp seconds(int seconds) {
        return new TimeoutClamp(time.platform(), outer, Duration.ofSeconds(seconds), Duration.ofMinutes(5));
    }

    private void pass(int seconds) {
        time.advance(Duration.ofSeconds(seconds));
    }

    @Test
    void when_it_is_over_the_call_is_given_up_and_its_caller_is_not() {
        try (TimeoutClamp shorter = seconds(5)) {
            shorter.deadline().limit(Duration.ofSeconds(60));
            pass(4);
            assertThat(shorter.isOver()).isFalse();
            assertThat(shorter.deadline().isGivenUp()).isFalse();
            pass(1);
            assertThat(shorter.isOver()).isTrue();
            assertThat(shorter.deadline().isGivenUp()).isTrue();
            assertThat(shorter.deadline().isExpired()).isTrue();
            assertThat(outer.isGivenUp()).isFalse();
        }
    }

    @Test
    void timeout_is_suspended_during_a_server_request() {
        try (TimeoutClamp shorter = seconds(5)) {
            pass(3);
            outer.stop();
            pass(60);
            assertThat(shorter.deadline().isStopped()).isTrue();
            assertThat(shorter.isOver()).isFalse();
            outer.go();
            pass(1);
            assertThat(shorter.isOver()).isFalse();
            pass(1);
            assertThat(shorter.isOver()).isTrue();
        }
    }

    @Test
    void a_caller_that_gives_up_ends_the_call_and_nothing_is_over() {
        try (TimeoutClamp shorter = seconds(5)) {
            outer.giveUp();
            assertThat(shorter.deadline().isGivenUp()).isTrue();
            assertThat(shorter.deadline().isExpired()).isFalse();
            assertThat(shorter.isOver()).isFalse();
        }
    }

    @Test
    void a_call_that_has_ended_is_not_given_up_later() {
        TimeoutClamp shorter = seconds(5);
        shorter.close();
        pass(10);
        outer.stop();
        outer.go();
        assertThat(shorter.isOver()).isFalse();
        assertThat(shorter.deadline().isGivenUp()).isFalse();
    }
}
