package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Who hears of what, when, and what happens to a breaker whose listeners misbehave: nothing. */
class ListenersTest {
    private final ManualTime time = new ManualTime();
    private final List<BreakerEvent> heard = new ArrayList<>();

    private CircuitBreaker breaker(Executor events) {
        return CircuitBreaker.named("jira")
                .policy(Rig.policy(1))
                .surroundings(time.surroundings())
                .events(events)
                .build();
    }

    private static void fail(CircuitBreaker breaker) {
        ((Permit) breaker.tryAcquire()).failed("offline");
    }

    @Test
    void a_change_of_state_carries_all_that_is_known_of_it() {
        Rig rig = Rig.consecutive(2);
        rig.succeed(1);
        rig.fail(2);
        Instant retryAt = ManualTime.BEGIN.plus(Rig.COOLDOWN);
        assertThat(rig.heard(BreakerEvent.StateChange.class))
                .containsExactly(new BreakerEvent.StateChange(
                        BreakerName.of("jira"),
                        1,
                        State.CLOSED,
                        State.OPEN,
                        new Reason.ThresholdReached(2),
                        ManualTime.BEGIN,
                        2,
                        2 / 3.0,
                        3,
                        retryAt));
        assertThat(rig.events.get(0).scope()).isEqualTo(Scope.SERVER);
    }

    @Test
    void every_way_through_the_states_has_its_reason() {
        Rig rig = Rig.dueForTests(HalfOpen.ONE_PROBE);
        rig.permit().settle(Verdict.failure("offline", new IllegalStateException("no")));
        rig.time.advance(Rig.COOLDOWN);
        rig.succeed(1);
        rig.breaker.forceOpen("repairs");
        rig.breaker.disable();
        rig.breaker.reset();
        assertThat(rig.heard(BreakerEvent.StateChange.class))
                .extracting(change -> change.reason().toString())
                .containsExactly(
                        "failure threshold reached: 1 failure",
                        "cooldown of 30000 ms over",
                        "test failed: offline, java.lang.IllegalStateException: no",
                        "cooldown of 30000 ms over",
                        "test passed: 1 success",
                        "forced open: repairs",
                        "disabled",
                        "reset");
    }

    @Test
    void call_events_have_the_duration_and_rejections_the_time_to_wait() {
        Rig rig = Rig.consecutive(1);
        Permit good = rig.permit();
        Permit bad = rig.permit();
        rig.time.advanceMillis(7);
        good.succeeded();
        bad.failed("offline");
        rig.rejection();
        rig.breaker.forceOpen("repairs");
        rig.rejection();
        assertThat(rig.heard(BreakerEvent.CallSucceeded.class).get(0).durationMs())
                .isEqualTo(7);
        assertThat(rig.heard(BreakerEvent.CallFailed.class))
                .containsExactly(
                        new BreakerEvent.CallFailed(BreakerName.of("jira"), 0, Duration.ofMillis(7), "offline"));
        assertThat(rig.heard(BreakerEvent.CallFailed.class).get(0).durationMs()).isEqualTo(7);
        assertThat(rig.heard(BreakerEvent.CallRejected.class))
                .containsExactly(
                        new BreakerEvent.CallRejected(BreakerName.of("jira"), 1, State.OPEN, 30_000L),
                        new BreakerEvent.CallRejected(BreakerName.of("jira"), 2, State.FORCED_OPEN, null));
    }

    @Test
    void reset_of_a_closed_breaker_publishes_no_event() {
        Rig rig = Rig.consecutive(1);
        rig.breaker.reset();
        rig.breaker.disable();
        rig.breaker.disable();
        assertThat(rig.path()).containsExactly(State.DISABLED);
    }

    @Test
    void event_is_published_after_the_state_is_visible() {
        CircuitBreaker breaker = breaker(Runnable::run);
        List<State> seen = new ArrayList<>();
        breaker.on(BreakerEvent.StateChange.class, change -> seen.add(breaker.state()));
        fail(breaker);
        assertThat(seen).containsExactly(State.OPEN);
    }

    @Test
    void a_listener_that_resets_the_breaker_is_obeyed() {
        CircuitBreaker breaker = breaker(Runnable::run);
        breaker.on(BreakerEvent.class, heard::add);
        breaker.on(BreakerEvent.StateChange.class, change -> {
            if (change.to() == State.OPEN) {
                breaker.reset();
            }
        });
        fail(breaker);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(heard).hasSize(3);
    }

    @Test
    void listeners_get_only_events_of_their_type() {
        CircuitBreaker breaker = breaker(Runnable::run);
        breaker.on(BreakerEvent.CallRejected.class, heard::add);
        fail(breaker);
        breaker.tryAcquire();
        assertThat(heard).hasSize(1).first().isInstanceOf(BreakerEvent.CallRejected.class);
    }

    @Test
    void closed_subscription_gets_no_more_events() {
        CircuitBreaker breaker = breaker(Runnable::run);
        Subscription first = breaker.on(BreakerEvent.StateChange.class, heard::add);
        breaker.on(BreakerEvent.StateChange.class, heard::add);
        first.close();
        first.close();
        fail(breaker);
        assertThat(heard).hasSize(1);
    }

    @Test
    void an_executor_delivers_later_and_its_refusals_are_counted() {
        Queue<Runnable> ring = new ArrayDeque<>();
        CircuitBreaker breaker = breaker(task -> {
            if (!ring.isEmpty()) {
                throw new RejectedExecutionException("full");
            }
            ring.add(task);
        });
        breaker.on(BreakerEvent.StateChange.class, heard::add);
        fail(breaker);
        breaker.reset();
        assertThat(heard).isEmpty();
        ring.remove().run();
        assertThat(heard).hasSize(1);
        assertThat(breaker.snapshot().totals().droppedEvents()).isEqualTo(1);
    }

    @Test
    void an_executor_that_breaks_changes_neither_result_nor_state() throws Exception {
        CircuitBreaker breaker = breaker(task -> {
            throw new OutOfMemoryError("unable to create a thread");
        });
        breaker.on(BreakerEvent.class, heard::add);
        assertThat(breaker.call(() -> "result")).isEqualTo("result");
        fail(breaker);
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(breaker.snapshot().totals().droppedEvents()).isEqualTo(3);
    }

    @Test
    void a_listener_that_throws_an_error_does_not_keep_others_from_hearing() {
        CircuitBreaker breaker = breaker(Runnable::run);
        breaker.on(BreakerEvent.StateChange.class, change -> {
            throw new AssertionError("listener");
        });
        breaker.on(BreakerEvent.StateChange.class, heard::add);
        fail(breaker);
        assertThat(heard).hasSize(1);
        assertThat(breaker.snapshot().totals().faults()).isEqualTo(1);
    }

    @Test
    void calls_that_began_without_a_listener_are_not_reported() {
        CircuitBreaker breaker = breaker(Runnable::run);
        Permit before = (Permit) breaker.tryAcquire();
        breaker.on(BreakerEvent.CallSucceeded.class, heard::add);
        before.succeeded();
        assertThat(heard).isEmpty();
    }
}
