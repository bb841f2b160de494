package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The same words pass once a minute.
class MessageThrottleTest {
    private final ManualTime time = new ManualTime();
    private final MessageThrottle messageThrottle =
            new MessageThrottle(time.platform().ticker());

    @Test
    void identical_message_passes_after_a_minute_and_others_at_once() {
        assertThat(messageThrottle.isNew("jira is down")).isTrue();
        for (int second = 1; second < 60; second++) {
            time.advance(Duration.ofSeconds(1));
            assertThat(messageThrottle.isNew("jira is down")).isFalse();
        }
        assertThat(messageThrottle.isNew("mail is down")).isTrue();
        time.advance(Duration.ofSeconds(1));
        assertThat(messageThrottle.isNew("jira is down")).isTrue();
        assertThat(messageThrottle.isNew("jira is down")).isFalse();
    }

    @Test
    void discarded_messages_are_logged_again() {
        for (int i = 0; i < 2_000; i++) {
            assertThat(messageThrottle.isNew("line " + i)).isTrue();
        }
        assertThat(messageThrottle.isNew("line 1999")).isFalse();
        assertThat(messageThrottle.isNew("line 0")).isTrue();
    }
}
