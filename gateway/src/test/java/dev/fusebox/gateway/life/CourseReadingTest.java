package dev.fusebox.gateway.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.FailureCategory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What reading the lists of a server means for its life.
class CourseReadingTest extends CourseSteps {
    @Test
    void a_command_to_a_server_that_is_connected_reads_what_it_offers() {
        online();
        happen(new Happening.Commanded("connection requested", false));
        due(Due.What.RESTART);
        happen(new Happening.Read(now.history().restarts()), new Happening.Told());
        assertThat(now.status()).isEqualTo(Status.ONLINE);
        assertThat(now.due()).isNull();
    }

    @Test
    void a_command_to_a_connected_server_whose_list_fails_ends_in_error() {
        online();
        for (int i = 0; i < 2; i++) {
            happen(new Happening.Commanded("connection requested", false));
            due(Due.What.RESTART);
            happen(unread(failure(FailureCategory.PROTOCOL, null)));
            assertThat(now.status()).isEqualTo(Status.ERROR);
            assertThat(now.message()).isEqualTo("its tools could not be read: it went wrong");
            assertThat(now.due()).extracting(Due::what).isEqualTo(Due.What.REREAD);
        }
    }

    @Test
    void a_command_to_a_connected_server_that_may_not_be_asked_leaves_it_connected() {
        online();
        happen(new Happening.Commanded("connection requested", false));
        due(Due.What.RESTART);
        happen(unread(failure(FailureCategory.POLICY, null)));
        assertThat(now.status()).isEqualTo(Status.IDLE);
        assertThat(now.due()).extracting(Due::what).isEqualTo(Due.What.REREAD);
    }

    @Test
    void a_reading_that_began_before_a_restart_and_fails_says_nothing_of_the_next_process() {
        online();
        Happening before = unread(failure(FailureCategory.PROTOCOL, null));
        happen(new Happening.Commanded("restart requested", true), before);
        assertThat(now.status()).isEqualTo(Status.COMMAND_RECEIVED);
        assertThat(wait(Due.What.RESTART)).isZero();
    }

    @Test
    void what_was_read_of_the_process_before_a_restart_says_nothing_of_the_next_one() {
        happen(connecting(), connected(1));
        int before = now.history().restarts();
        happen(new Happening.Ended(failure(FailureCategory.LOCAL, null), 1L, SHORT));
        happen(new Happening.Commanded("restarted", true), connecting(), connected(2));
        happen(new Happening.Read(before), new Happening.Told());
        assertThat(now.status()).isEqualTo(Status.DISCOVERING_TOOLS);
        happen(new Happening.Read(now.history().restarts()), new Happening.Told());
        assertThat(now.status()).isEqualTo(Status.ONLINE);
    }

    @Test
    void what_could_not_be_read_is_tried_again_after_longer_and_longer() {
        online();
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            happen(unread(failure(FailureCategory.OTHER, null)));
            assertThat(now.status()).isEqualTo(Status.ERROR);
            // A call that succeeds meanwhile is no reason to ask at once again.
            happen(new Happening.Answered(Happening.By.CALL));
            waits.add(wait(Due.What.REREAD));
            due(Due.What.REREAD);
            assertThat(now.status()).isEqualTo(Status.DISCOVERING_TOOLS);
        }
        assertThat(waits).containsExactly(5_000L, 10_000L, 20_000L, 40_000L, 80_000L, 160_000L, 300_000L, 300_000L);
        happen(new Happening.Read(now.history().restarts()), new Happening.Told());
        assertThat(now.status()).isEqualTo(Status.ONLINE);
    }

    @Test
    void what_was_read_and_could_not_be_told_because_of_us_is_read_again() {
        happen(connecting(), connected(1), new Happening.Read(now.history().restarts()));
        happen(unread(failure(FailureCategory.LOCAL, null)));
        assertThat(now.status()).isEqualTo(Status.IDLE);
        assertThat(wait(Due.What.REREAD)).isEqualTo(LifeRules.LONGEST_REREAD.toMillis());
    }

    @ParameterizedTest
    @CsvSource({"LOCAL", "POLICY"})
    void a_server_that_we_are_kept_from_asking_is_asked_when_it_answers_somebody(FailureCategory category) {
        happen(connecting(), connected(1), unread(failure(category, null)));
        assertThat(now.status()).isEqualTo(Status.IDLE);
        assertThat(now.lastFailure()).isNull();
        assertThat(wait(Due.What.REREAD)).isEqualTo(LifeRules.LONGEST_REREAD.toMillis());
        happen(new Happening.Answered(Happening.By.CALL));
        assertThat(now.status()).isEqualTo(Status.DISCOVERING_TOOLS);
        assertThat(wait(Due.What.REREAD)).isZero();
        assertThat(others()).isEmpty();
    }
}
