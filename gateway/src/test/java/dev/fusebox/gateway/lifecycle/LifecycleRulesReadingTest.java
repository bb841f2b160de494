package dev.fusebox.gateway.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.FailureCategory;
import dev.fusebox.config.LifecycleSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The effect of reading a server's lists on its lifecycle.
class LifecycleRulesReadingTest extends LifecycleSteps {
    @Test
    void command_to_a_connected_server_reads_its_lists() {
        online();
        happen(new LifecycleInput.OperatorRequested("connection requested", false));
        due(NextAction.Kind.RESTART);
        happen(new LifecycleInput.Read(now.history().restarts()), new LifecycleInput.ListsAnnounced());
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
        assertThat(now.nextAction()).isNull();
    }

    @Test
    void command_to_a_connected_server_announces_no_connection_that_is_not_made() {
        online();
        events.clear();
        happen(new LifecycleInput.OperatorRequested("connection requested", false));
        due(NextAction.Kind.RESTART);
        happen(new LifecycleInput.Read(now.history().restarts()), new LifecycleInput.ListsAnnounced());
        assertThat(events)
                .contains(new LifecycleEvent.StatusChanged(
                        ServerStatus.COMMAND_RECEIVED, ServerStatus.CONNECTING, "already connected"))
                .noneMatch(event -> event.toString().contains("message=connecting"));
    }

    @Test
    void command_to_a_connected_server_with_a_failing_list_ends_in_error() {
        online();
        for (int i = 0; i < 2; i++) {
            happen(new LifecycleInput.OperatorRequested("connection requested", false));
            due(NextAction.Kind.RESTART);
            happen(unread(failure(FailureCategory.PROTOCOL, null)));
            assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
            assertThat(now.message()).isEqualTo("cannot read its tools: it went wrong");
            assertThat(now.nextAction()).extracting(NextAction::kind).isEqualTo(NextAction.Kind.REREAD);
        }
    }

    @Test
    void command_to_a_connected_server_with_blocked_requests_keeps_it_connected() {
        online();
        happen(new LifecycleInput.OperatorRequested("connection requested", false));
        due(NextAction.Kind.RESTART);
        happen(unread(failure(FailureCategory.POLICY, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.IDLE);
        assertThat(now.nextAction()).extracting(NextAction::kind).isEqualTo(NextAction.Kind.REREAD);
    }

    @Test
    void failed_read_from_before_a_restart_does_not_affect_the_next_process() {
        online();
        LifecycleInput before = unread(failure(FailureCategory.PROTOCOL, null));
        happen(new LifecycleInput.OperatorRequested("restart requested", true), before);
        assertThat(now.status()).isEqualTo(ServerStatus.COMMAND_RECEIVED);
        assertThat(wait(NextAction.Kind.RESTART)).isZero();
    }

    @Test
    void lists_read_before_a_restart_do_not_affect_the_next_process() {
        happen(connecting(), connected(1));
        int before = now.history().restarts();
        happen(new LifecycleInput.Ended(failure(FailureCategory.LOCAL, null), 1L, SHORT));
        happen(new LifecycleInput.OperatorRequested("restarted", true), connecting(), connected(2));
        happen(new LifecycleInput.Read(before), new LifecycleInput.ListsAnnounced());
        assertThat(now.status()).isEqualTo(ServerStatus.DISCOVERING_TOOLS);
        happen(new LifecycleInput.Read(now.history().restarts()), new LifecycleInput.ListsAnnounced());
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
    }

    @Test
    void failed_read_is_retried_with_growing_delays() {
        online();
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            happen(unread(failure(FailureCategory.OTHER, null)));
            assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
            // A call that succeeds meanwhile does not trigger another read at once.
            happen(new LifecycleInput.Answered(LifecycleInput.Detector.CALL));
            waits.add(wait(NextAction.Kind.REREAD));
            due(NextAction.Kind.REREAD);
            assertThat(now.status()).isEqualTo(ServerStatus.DISCOVERING_TOOLS);
        }
        assertThat(waits).containsExactly(5_000L, 10_000L, 20_000L, 40_000L, 80_000L, 160_000L, 300_000L, 300_000L);
        happen(new LifecycleInput.Read(now.history().restarts()), new LifecycleInput.ListsAnnounced());
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
    }

    @Test
    void lists_that_could_not_be_announced_are_read_again() {
        happen(connecting(), connected(1), new LifecycleInput.Read(now.history().restarts()));
        happen(unread(failure(FailureCategory.LOCAL, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.IDLE);
        assertThat(wait(NextAction.Kind.REREAD)).isEqualTo(LifecycleSettings.LONGEST_REREAD.toMillis());
    }

    @ParameterizedTest
    @CsvSource({"LOCAL", "POLICY"})
    void postponed_read_happens_when_the_server_answers_a_call(FailureCategory category) {
        happen(connecting(), connected(1), unread(failure(category, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.IDLE);
        assertThat(now.lastFailure()).isNull();
        assertThat(wait(NextAction.Kind.REREAD)).isEqualTo(LifecycleSettings.LONGEST_REREAD.toMillis());
        happen(new LifecycleInput.Answered(LifecycleInput.Detector.CALL));
        assertThat(now.status()).isEqualTo(ServerStatus.DISCOVERING_TOOLS);
        assertThat(wait(NextAction.Kind.REREAD)).isZero();
        assertThat(others()).isEmpty();
    }
}
