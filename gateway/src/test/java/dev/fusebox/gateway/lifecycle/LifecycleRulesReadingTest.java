package dev.fusebox.gateway.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.FailureCategory;
import dev.fusebox.config.LifecycleSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What reading the lists of a server means for its life.
class LifecycleRulesReadingTest extends LifecycleSteps {
    @Test
    void a_command_to_a_server_that_is_connected_reads_what_it_offers() {
        online();
        happen(new LifecycleInput.Commanded("connection requested", false));
        due(NextAction.What.RESTART);
        happen(new LifecycleInput.Read(now.history().restarts()), new LifecycleInput.Told());
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
        assertThat(now.nextAction()).isNull();
    }

    @Test
    void a_command_to_a_connected_server_whose_list_fails_ends_in_error() {
        online();
        for (int i = 0; i < 2; i++) {
            happen(new LifecycleInput.Commanded("connection requested", false));
            due(NextAction.What.RESTART);
            happen(unread(failure(FailureCategory.PROTOCOL, null)));
            assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
            assertThat(now.message()).isEqualTo("its tools could not be read: it went wrong");
            assertThat(now.nextAction()).extracting(NextAction::what).isEqualTo(NextAction.What.REREAD);
        }
    }

    @Test
    void a_command_to_a_connected_server_that_may_not_be_asked_leaves_it_connected() {
        online();
        happen(new LifecycleInput.Commanded("connection requested", false));
        due(NextAction.What.RESTART);
        happen(unread(failure(FailureCategory.POLICY, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.IDLE);
        assertThat(now.nextAction()).extracting(NextAction::what).isEqualTo(NextAction.What.REREAD);
    }

    @Test
    void a_reading_that_began_before_a_restart_and_fails_says_nothing_of_the_next_process() {
        online();
        LifecycleInput before = unread(failure(FailureCategory.PROTOCOL, null));
        happen(new LifecycleInput.Commanded("restart requested", true), before);
        assertThat(now.status()).isEqualTo(ServerStatus.COMMAND_RECEIVED);
        assertThat(wait(NextAction.What.RESTART)).isZero();
    }

    @Test
    void what_was_read_of_the_process_before_a_restart_says_nothing_of_the_next_one() {
        happen(connecting(), connected(1));
        int before = now.history().restarts();
        happen(new LifecycleInput.Ended(failure(FailureCategory.LOCAL, null), 1L, SHORT));
        happen(new LifecycleInput.Commanded("restarted", true), connecting(), connected(2));
        happen(new LifecycleInput.Read(before), new LifecycleInput.Told());
        assertThat(now.status()).isEqualTo(ServerStatus.DISCOVERING_TOOLS);
        happen(new LifecycleInput.Read(now.history().restarts()), new LifecycleInput.Told());
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
    }

    @Test
    void what_could_not_be_read_is_tried_again_after_longer_and_longer() {
        online();
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            happen(unread(failure(FailureCategory.OTHER, null)));
            assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
            // A call that succeeds meanwhile is no reason to ask at once again.
            happen(new LifecycleInput.Answered(LifecycleInput.By.CALL));
            waits.add(wait(NextAction.What.REREAD));
            due(NextAction.What.REREAD);
            assertThat(now.status()).isEqualTo(ServerStatus.DISCOVERING_TOOLS);
        }
        assertThat(waits).containsExactly(5_000L, 10_000L, 20_000L, 40_000L, 80_000L, 160_000L, 300_000L, 300_000L);
        happen(new LifecycleInput.Read(now.history().restarts()), new LifecycleInput.Told());
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
    }

    @Test
    void what_was_read_and_could_not_be_told_because_of_us_is_read_again() {
        happen(connecting(), connected(1), new LifecycleInput.Read(now.history().restarts()));
        happen(unread(failure(FailureCategory.LOCAL, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.IDLE);
        assertThat(wait(NextAction.What.REREAD)).isEqualTo(LifecycleSettings.LONGEST_REREAD.toMillis());
    }

    @ParameterizedTest
    @CsvSource({"LOCAL", "POLICY"})
    void a_server_that_we_are_kept_from_asking_is_asked_when_it_answers_somebody(FailureCategory category) {
        happen(connecting(), connected(1), unread(failure(category, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.IDLE);
        assertThat(now.lastFailure()).isNull();
        assertThat(wait(NextAction.What.REREAD)).isEqualTo(LifecycleSettings.LONGEST_REREAD.toMillis());
        happen(new LifecycleInput.Answered(LifecycleInput.By.CALL));
        assertThat(now.status()).isEqualTo(ServerStatus.DISCOVERING_TOOLS);
        assertThat(wait(NextAction.What.REREAD)).isZero();
        assertThat(others()).isEmpty();
    }
}
