package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The same words pass once a minute.
class OnceTest {
    private final ManualTime time = new ManualTime();
    private final Once once = new Once(time.platform().ticker());

    @Test
    void the_same_words_pass_again_after_a_minute_and_others_at_once() {
        assertThat(once.isNew("jira is down")).isTrue();
        for (int second = 1; second < 60; second++) {
            time.advance(Duration.ofSeconds(1));
            assertThat(once.isNew("jira is down")).isFalse();
        }
        assertThat(once.isNew("mail is down")).isTrue();
        time.advance(Duration.ofSeconds(1));
        assertThat(once.isNew("jira is down")).isTrue();
        assertThat(once.isNew("jira is down")).isFalse();
    }

    @Test
    void what_there_is_no_room_for_passes_rather_than_being_kept_back() {
        for (int i = 0; i < 2_000; i++) {
            assertThat(once.isNew("line " + i)).isTrue();
        }
        assertThat(once.isNew("line 1999")).isFalse();
        assertThat(once.isNew("line 0")).isTrue();
    }
}
