package dev.fusebox.gateway.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.config.LifecycleSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LifecycleRulesTest extends LifecycleSteps {
    @Test
    void first_use_passes_every_status_to_online() {
        assertThat(now.status()).isEqualTo(ServerStatus.IDLE);
        online();
        assertThat(walk())
                .containsExactly(
                        ServerStatus.CONNECTING,
                        ServerStatus.DISCOVERING_TOOLS,
                        ServerStatus.SYNCING_TOOLS,
                        ServerStatus.ONLINE);
    }

    @Test
    void connection_closed_by_the_gateway_leaves_the_server_ready() {
        online();
        happen(new LifecycleInput.Ended(failure(FailureCategory.LOCAL, null), 1L, SHORT));
        assertThat(now.status()).isEqualTo(ServerStatus.IDLE);
        assertThat(now.nextAction()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "AUTH,401,REQUIRES_REAUTH,Authentication failed (HTTP 401)",
        "AUTH,403,REQUIRES_REAUTH,Access forbidden (HTTP 403)",
        "OFFLINE,,OFFLINE,Server unreachable",
        "HTTP,503,ERROR,it went wrong",
        "OTHER,418,ERROR,it went wrong"
    })
    void failed_connection_attempt_determines_the_status(
            FailureCategory category, @Nullable Integer http, ServerStatus status, String message) {
        remote();
        happen(connecting(), new LifecycleInput.Failed(failure(category, http)));
        assertThat(now.status()).isEqualTo(status);
        assertThat(now.message()).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource({"LOCAL", "CANCELLED", "POLICY"})
    void failure_of_the_gateway_changes_nothing(FailureCategory category) {
        happen(connecting(), new LifecycleInput.Failed(failure(category, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.IDLE);
        remote();
        happen(connecting(), new LifecycleInput.Failed(failure(FailureCategory.OFFLINE, null)));
        happen(connecting(), new LifecycleInput.Failed(failure(category, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.OFFLINE);
        assertThat(now.message()).isEqualTo("Server unreachable");
    }

    @ParameterizedTest
    @CsvSource({"OFFLINE,OFFLINE", "HTTP,ERROR", "OTHER,ERROR"})
    void answer_ends_the_status_of_a_failed_call(FailureCategory category, ServerStatus status) {
        remote();
        online();
        happen(new LifecycleInput.CallFailed(failure(category, null)));
        assertThat(now.status()).isEqualTo(status);
        events.clear();
        later(SHORT);
        happen(
                new LifecycleInput.Answered(LifecycleInput.Detector.CALL),
                new LifecycleInput.Answered(LifecycleInput.Detector.CALL));
        assertThat(walk()).containsExactly(ServerStatus.CONNECTING, ServerStatus.DISCOVERING_TOOLS);
        assertThat(now.message()).isEqualTo("Server recovered, re-discovering tools");
        assertThat(others()).containsExactly(new LifecycleEvent.Recovered("call", SHORT));
        assertThat(wait(NextAction.Kind.REREAD)).isZero();
        due(NextAction.Kind.REREAD);
        happen(new LifecycleInput.Read(now.history().restarts()), new LifecycleInput.ListsAnnounced());
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
    }

    @Test
    void remote_server_that_is_down_is_polled() {
        remote();
        online();
        happen(new LifecycleInput.CallFailed(failure(FailureCategory.OFFLINE, null)));
        assertThat(wait(NextAction.Kind.POLL)).isEqualTo(180_000);
        later(Duration.ofMinutes(1));
        happen(new LifecycleInput.CallFailed(failure(FailureCategory.OFFLINE, null)));
        assertThat(wait(NextAction.Kind.POLL)).isEqualTo(120_000);
        due(NextAction.Kind.POLL);
        assertThat(wait(NextAction.Kind.POLL)).isEqualTo(180_000);
        happen(new LifecycleInput.Answered(LifecycleInput.Detector.POLL));
        assertThat(others()).containsExactly(new LifecycleEvent.Recovered("poll", Duration.ofMinutes(3)));
    }

    @Test
    void timeout_and_forbidden_call_do_not_change_the_status() {
        online();
        happen(
                new LifecycleInput.CallFailed(CallFailure.timeout("late")),
                new LifecycleInput.CallFailed(failure(FailureCategory.AUTH, 403)),
                new LifecycleInput.CallFailed(failure(FailureCategory.PROTOCOL, 400)),
                new LifecycleInput.CallFailed(failure(FailureCategory.LOCAL, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
        happen(new LifecycleInput.Silent());
        assertThat(now.status()).isEqualTo(ServerStatus.OFFLINE);
    }

    @Test
    void crashed_process_restarts_until_the_third_crash_in_five_minutes() {
        stopping();
        online();
        happen(crash(SHORT));
        assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
        assertThat(wait(NextAction.Kind.RESTART)).isEqualTo(1_000);
        due(NextAction.Kind.RESTART);
        happen(
                connecting(),
                connected(2),
                new LifecycleInput.Read(now.history().restarts()),
                new LifecycleInput.ListsAnnounced());
        assertThat(others().getLast()).isEqualTo(new LifecycleEvent.Restarted(1L, 2L, "it went wrong", 1));
        happen(crash(SHORT));
        assertThat(wait(NextAction.Kind.RESTART)).isEqualTo(5_000);
        due(NextAction.Kind.RESTART);
        happen(
                connecting(),
                connected(3),
                new LifecycleInput.Read(now.history().restarts()),
                new LifecycleInput.ListsAnnounced());
        events.clear();
        happen(crash(SHORT));
        assertThat(walk()).containsExactly(ServerStatus.RESTARTING, ServerStatus.PERMANENTLY_FAILED);
        assertThat(events)
                .hasExactlyElementsOfTypes(
                        LifecycleEvent.Crashed.class,
                        LifecycleEvent.StatusChanged.class,
                        LifecycleEvent.GivenUp.class,
                        LifecycleEvent.StatusChanged.class);
        assertThat(now.message()).startsWith("Process crashed 3 times in 5 minutes; last failure: ");
        assertThat(wait(NextAction.Kind.SELF_PROBE)).isEqualTo(900_000);
    }

    @Test
    void old_crashes_expire_and_a_long_lived_process_restarts_at_once() {
        online();
        for (int i = 0; i < 20; i++) {
            later(Duration.ofSeconds(151));
            happen(crash(Duration.ofSeconds(61)));
            assertThat(wait(NextAction.Kind.RESTART)).isZero();
            due(NextAction.Kind.RESTART);
            happen(
                    connecting(),
                    connected(2),
                    new LifecycleInput.Read(now.history().restarts()),
                    new LifecycleInput.ListsAnnounced());
        }
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
    }

    @Test
    void permanently_failed_server_is_probed_less_and_less_often_and_recovers() {
        stopping();
        online();
        happen(crash(SHORT), connecting(), connected(2), crash(SHORT), connecting(), connected(3), crash(SHORT));
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            assertThat(now.status()).isEqualTo(ServerStatus.PERMANENTLY_FAILED);
            waits.add(wait(NextAction.Kind.SELF_PROBE) / 60_000);
            due(NextAction.Kind.SELF_PROBE);
            happen(connecting(), connected(4), crash(SHORT));
        }
        assertThat(waits).containsExactly(15L, 30L, 60L, 120L, 240L, 240L);
        due(NextAction.Kind.SELF_PROBE);
        happen(
                connecting(),
                connected(5),
                new LifecycleInput.Read(now.history().restarts()),
                new LifecycleInput.ListsAnnounced());
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
        later(Duration.ofMinutes(10));
        happen(crash(Duration.ofMinutes(10)));
        assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
    }

    @Test
    void only_a_command_or_the_self_probe_leaves_permanently_failed() {
        stopping();
        online();
        happen(crash(SHORT), connecting(), connected(2), crash(SHORT), connecting(), connected(3), crash(SHORT));
        LifecycleState given = now;
        happen(
                connecting(),
                new LifecycleInput.Failed(failure(FailureCategory.POLICY, null)),
                new LifecycleInput.Failed(failure(FailureCategory.OFFLINE, null)),
                new LifecycleInput.CallFailed(failure(FailureCategory.OFFLINE, null)),
                new LifecycleInput.Answered(LifecycleInput.Detector.CALL),
                unread(failure(FailureCategory.POLICY, null)),
                new LifecycleInput.Silent());
        assertThat(now.status()).isEqualTo(ServerStatus.PERMANENTLY_FAILED);
        assertThat(now.nextAction()).isEqualTo(given.nextAction());
        happen(new LifecycleInput.OperatorRequested("restart requested", true));
        assertThat(now.status()).isEqualTo(ServerStatus.COMMAND_RECEIVED);
        due(NextAction.Kind.RESTART);
        happen(
                connecting(),
                connected(4),
                new LifecycleInput.Read(now.history().restarts()),
                new LifecycleInput.ListsAnnounced());
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
        happen(crash(SHORT));
        assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
    }

    @Test
    void server_without_a_handshake_is_restarted_a_few_times_and_then_by_calls_only() {
        for (int i = 0; i < 2; i++) {
            happen(connecting(), new LifecycleInput.Failed(failure(FailureCategory.STDIO_EXIT, null)));
            assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
            due(NextAction.Kind.RESTART);
        }
        happen(connecting(), new LifecycleInput.Failed(failure(FailureCategory.STDIO_EXIT, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
        assertThat(now.nextAction()).isNull();
        happen(
                connecting(),
                connected(9),
                new LifecycleInput.Read(now.history().restarts()),
                new LifecycleInput.ListsAnnounced());
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
    }

    /// A call starts it once more, or era detection starts a second process.
    @Test
    void scheduled_restart_is_cancelled_once_only_calls_start_the_server() {
        happen(connecting(), new LifecycleInput.Failed(failure(FailureCategory.STDIO_EXIT, null)));
        due(NextAction.Kind.RESTART);
        happen(connecting(), new LifecycleInput.Failed(failure(FailureCategory.STDIO_EXIT, null)));
        assertThat(wait(NextAction.Kind.RESTART)).isEqualTo(5_000);
        happen(connecting(), new LifecycleInput.Failed(failure(FailureCategory.STDIO_EXIT, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
        assertThat(now.nextAction()).isNull();
    }

    @Test
    void crash_of_one_of_two_processes_is_counted_and_the_other_continues() {
        online();
        happen(connecting(), connected(2));
        happen(crash(SHORT));
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
        assertThat(now.live()).isEqualTo(1);
        assertThat(others().getLast()).isInstanceOf(LifecycleEvent.Crashed.class);
        happen(new LifecycleInput.Ended(failure(FailureCategory.LOCAL, null), 2L, SHORT));
        assertThat(now.status()).isEqualTo(ServerStatus.IDLE);
    }

    @Test
    void restart_that_never_began_is_retried() {
        online();
        happen(crash(SHORT));
        due(NextAction.Kind.RESTART);
        assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
        assertThat(wait(NextAction.Kind.RESTART)).isEqualTo(15_000);
        happen(connecting(), new LifecycleInput.Failed(failure(FailureCategory.LOCAL, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
        assertThat(wait(NextAction.Kind.RESTART)).isEqualTo(15_000);
    }

    private void asked(LifecycleSettings rules, Duration often) {
        LifecycleSettings.Polls usual = rules.polls();
        lifecycleRules = lifecycleRules(
                rules.with(new LifecycleSettings.Polls(usual.health(), often, usual.self(), usual.limit())));
    }

    @Test
    void process_without_restarts_that_crashes_during_announcement_waits_for_the_next_call() {
        lifecycleRules = lifecycleRules(LifecycleSettings.usual(true).withoutRestarts());
        happen(connecting(), connected(1), new LifecycleInput.Read(0));
        assertThat(now.status()).isEqualTo(ServerStatus.SYNCING_TOOLS);
        happen(crash(SHORT), new LifecycleInput.ListsAnnounced());
        assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
        assertThat(now.live()).isZero();
        assertThat(now.nextAction()).isNull();
    }

    @Test
    void process_started_by_a_call_after_its_budget_is_reported_as_recovered() {
        lifecycleRules = lifecycleRules(LifecycleSettings.usual(true).withoutRestarts());
        online();
        happen(crash(SHORT));
        later(SHORT);
        happen(connecting(), connected(2));
        assertThat(now.message()).isEqualTo("Server recovered, re-discovering tools");
        assertThat(others()).contains(new LifecycleEvent.Recovered("call", SHORT));
    }

    @Test
    void restart_of_a_long_lived_process_counts_as_the_first() {
        online();
        happen(crash(Duration.ofMinutes(2)), connecting(), connected(2));
        assertThat(others().getLast()).isEqualTo(new LifecycleEvent.Restarted(1L, 2L, "it went wrong", 1));
    }

    @ParameterizedTest
    @CsvSource({"OFFLINE,OFFLINE", "HTTP,ERROR"})
    void poll_that_fails_because_of_the_gateway_is_repeated(FailureCategory category, ServerStatus status) {
        remote();
        happen(connecting(), new LifecycleInput.Failed(failure(category, null)));
        due(NextAction.Kind.POLL);
        happen(connecting(), new LifecycleInput.Failed(failure(FailureCategory.LOCAL, null)));
        assertThat(now.status()).isEqualTo(status);
        assertThat(wait(NextAction.Kind.POLL)).isEqualTo(180_000);
    }

    @Test
    void unread_remote_server_that_is_down_is_polled_when_reading_is_blocked() {
        remote();
        happen(connecting(), connected(1), unread(failure(FailureCategory.OTHER, null)));
        happen(new LifecycleInput.Ended(failure(FailureCategory.LOCAL, null), null, SHORT));
        due(NextAction.Kind.REREAD);
        happen(unread(failure(FailureCategory.POLICY, null)));
        assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
        assertThat(wait(NextAction.Kind.POLL)).isEqualTo(180_000);
    }

    @Test
    void rejected_credentials_are_not_polled_with() {
        asked(LifecycleSettings.usual(false), Duration.ofMinutes(1));
        online();
        assertThat(wait(NextAction.Kind.PING)).isEqualTo(60_000);
        happen(new LifecycleInput.CallFailed(failure(FailureCategory.AUTH, 401)));
        assertThat(now.nextAction()).isNull();
        happen(
                new LifecycleInput.Answered(LifecycleInput.Detector.CALL),
                new LifecycleInput.CallFailed(failure(FailureCategory.OFFLINE, null)));
        due(NextAction.Kind.REREAD);
        happen(new LifecycleInput.CallFailed(failure(FailureCategory.OFFLINE, null)));
        due(NextAction.Kind.POLL);
        happen(new LifecycleInput.CallFailed(failure(FailureCategory.AUTH, 401)));
        assertThat(now.status()).isEqualTo(ServerStatus.REQUIRES_REAUTH);
        assertThat(now.nextAction()).isNull();
    }

    @Test
    void remote_server_that_is_down_is_polled_and_not_pinged() {
        asked(LifecycleSettings.usual(false), Duration.ofHours(1));
        online();
        happen(new LifecycleInput.CallFailed(failure(FailureCategory.OFFLINE, null)));
        assertThat(wait(NextAction.Kind.POLL)).isEqualTo(180_000);
    }

    @Test
    void kept_process_that_never_started_is_polled() {
        asked(LifecycleSettings.usual(true), Duration.ofMinutes(3));
        happen(connecting(), new LifecycleInput.Failed(failure(FailureCategory.OFFLINE, null)));
        assertThat(wait(NextAction.Kind.PING)).isEqualTo(180_000);
        due(NextAction.Kind.PING);
        assertThat(wait(NextAction.Kind.PING)).isEqualTo(180_000);
    }

    @Test
    void server_closed_during_announcement_is_not_pinged() {
        asked(LifecycleSettings.usual(true), Duration.ofMinutes(1));
        happen(connecting(), connected(1), new LifecycleInput.Read(0));
        happen(
                new LifecycleInput.Ended(failure(FailureCategory.LOCAL, null), 1L, SHORT),
                new LifecycleInput.ListsAnnounced());
        assertThat(now.status()).isEqualTo(ServerStatus.IDLE);
        assertThat(now.nextAction()).isNull();
    }

    @Test
    void changed_settings_reschedule_health_checks_of_a_server_that_is_down() {
        remote();
        happen(connecting(), new LifecycleInput.Failed(failure(FailureCategory.OFFLINE, null)));
        LifecycleSettings.Polls polls = LifecycleSettings.usual(false).polls();
        lifecycleRules = lifecycleRules(LifecycleSettings.usual(false)
                .with(new LifecycleSettings.Polls(Duration.ofMinutes(1), polls.ping(), polls.self(), polls.limit())));
        happen(new LifecycleInput.SettingsChanged());
        assertThat(wait(NextAction.Kind.POLL)).isEqualTo(60_000);
    }
}
