package dev.fusebox.gateway.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.config.LifecycleSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The crash budget: automatic restarts, and what follows when it is used up.
class CrashRulesBudgetTest {
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final LifecycleSettings RULES = LifecycleSettings.usual(true);

    private LifecycleRules lifecycleRules = lifecycleRules(RULES);
    private LifecycleState now = LifecycleState.FRESH;
    private long at;
    private final List<LifecycleEvent> events = new ArrayList<>();

    private static LifecycleRules lifecycleRules(LifecycleSettings rules) {
        return new LifecycleRules(rules, nanos -> "08:23");
    }

    private void happen(LifecycleInput... inputs) {
        for (LifecycleInput input : inputs) {
            LifecycleRules.Step step = lifecycleRules.next(now, input, at, 0.5);
            now = step.lifecycleState();
            events.addAll(step.events());
        }
    }

    private void up() {
        happen(
                new LifecycleInput.Connecting(),
                new LifecycleInput.Connected(1L),
                new LifecycleInput.Read(now.history().restarts()),
                new LifecycleInput.ListsAnnounced());
        assertThat(now.status()).isEqualTo(ServerStatus.ONLINE);
    }

    private static CallFailure exit() {
        return new CallFailure(
                ErrorId.SERVER_EXITED,
                FailureCategory.STDIO_EXIT,
                Delivery.UNKNOWN,
                "exited with code 1",
                Evidence.NONE);
    }

    private void crash(Duration lived, @Nullable Object cause) {
        happen(new LifecycleInput.Ended(exit(), 1L, lived, cause));
    }

    private void upAndCrash() {
        up();
        crash(SHORT, null);
    }

    private long wait(NextAction.Kind kind) {
        NextAction nextAction = Objects.requireNonNull(now.nextAction());
        assertThat(nextAction.kind()).isEqualTo(kind);
        return Duration.ofNanos(nextAction.at() - at).toMillis();
    }

    private void usedUp() {
        upAndCrash();
        upAndCrash();
        upAndCrash();
    }

    @Test
    void third_crash_ends_automatic_restarts_and_leaves_the_start_to_the_next_call() {
        upAndCrash();
        assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
        upAndCrash();
        assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
        events.clear();
        upAndCrash();
        assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
        assertThat(now.message())
                .isEqualTo("crashed 3 times in 5 minutes; not restarted automatically; the next call, `restart` or the"
                        + " check at 08:23 starts it");
        assertThat(wait(NextAction.Kind.SELF_PROBE)).isEqualTo(900_000);
        assertThat(events)
                .filteredOn(LifecycleEvent.Crashed.class::isInstance)
                .extracting(event -> ((LifecycleEvent.Crashed) event).willRestart())
                .containsExactly(false);
        assertThat(events).noneMatch(LifecycleEvent.GivenUp.class::isInstance);
    }

    @Test
    void call_starts_a_server_with_a_used_up_budget_and_an_answer_does_not_restore_it() {
        usedUp();
        up();
        happen(new LifecycleInput.Answered(LifecycleInput.Detector.CALL));
        crash(SHORT, null);
        assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
        assertThat(wait(NextAction.Kind.SELF_PROBE)).isEqualTo(900_000);
    }

    @Test
    void process_that_lives_a_minute_restores_the_budget() {
        usedUp();
        up();
        at += Duration.ofSeconds(61).toNanos();
        crash(Duration.ofSeconds(61), null);
        assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
        assertThat(wait(NextAction.Kind.RESTART)).isZero();
        upAndCrash();
        assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
    }

    @Test
    void crashes_of_one_session_on_a_shared_server_count_once() {
        for (int i = 0; i < 10; i++) {
            up();
            crash(SHORT, "session a");
            assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
        }
        up();
        crash(SHORT, "session b");
        assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
        upAndCrash();
        assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
    }

    @Test
    void one_session_counts_again_in_the_next_window() {
        up();
        crash(SHORT, "session a");
        at += Duration.ofMinutes(5).toNanos();
        up();
        crash(SHORT, "session a");
        upAndCrash();
        assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
        upAndCrash();
        assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
    }

    @Test
    void restarts_continue_with_the_last_delay_without_a_budget() {
        lifecycleRules = lifecycleRules(RULES.with(new LifecycleSettings.Crashes(0, Duration.ofMinutes(5))));
        for (long delay : List.of(1_000L, 5_000L, 15_000L, 15_000L, 15_000L)) {
            upAndCrash();
            assertThat(wait(NextAction.Kind.RESTART)).isEqualTo(delay);
        }
    }

    @Test
    void self_probe_starts_the_server_and_its_delay_doubles_after_each_failure() {
        usedUp();
        List<Long> minutes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            minutes.add(wait(NextAction.Kind.SELF_PROBE) / 60_000);
            NextAction nextAction = Objects.requireNonNull(now.nextAction());
            at = nextAction.at();
            happen(new LifecycleInput.TimerFired(nextAction));
            assertThat(now.status()).isEqualTo(ServerStatus.RESTARTING);
            happen(new LifecycleInput.Connecting(), new LifecycleInput.Connected(1L));
            crash(SHORT, null);
            assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
        }
        assertThat(minutes).containsExactly(15L, 30L, 60L, 120L, 240L, 240L);
    }

    @Test
    void start_that_fails_because_of_the_gateway_keeps_the_self_probe_scheduled() {
        usedUp();
        CallFailure local = CallFailure.notSent(ErrorId.CONNECT_FAILED, FailureCategory.LOCAL, "no descriptors left");
        happen(new LifecycleInput.Connecting(), new LifecycleInput.Failed(local));
        assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
        assertThat(wait(NextAction.Kind.SELF_PROBE)).isEqualTo(900_000);
    }

    @Test
    void server_that_was_never_ready_is_not_restarted_after_its_third_exit() {
        for (int i = 0; i < 3; i++) {
            happen(new LifecycleInput.Connecting(), new LifecycleInput.Failed(exit()));
        }
        assertThat(now.status()).isEqualTo(ServerStatus.ERROR);
        assertThat(now.nextAction()).isNull();
        assertThat(now.history().crashCount().count()).isZero();
    }
}
