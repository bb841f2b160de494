package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Many breakers by name: made once, listed, watched, removed, closed. */
class BreakersTest {
    private final ManualTime time = new ManualTime();
    private final Breakers breakers = Breakers.settings()
            .policy(Rig.policy(1))
            .surroundings(time.surroundings())
            .build();
    private final List<BreakerEvent> heard = new ArrayList<>();

    private static Permit permit(CircuitBreaker breaker) {
        return (Permit) breaker.tryAcquire();
    }

    @Test
    void the_same_name_is_the_same_breaker() {
        CircuitBreaker jira = breakers.breaker("jira");
        assertThat(breakers.breaker("jira")).isSameAs(jira);
        assertThat(breakers.breaker(BreakerName.of("jira"))).isSameAs(jira);
        assertThat(breakers.breaker("jira", Rig.policy(1))).isSameAs(jira);
        assertThat(breakers.find(BreakerName.of("jira"))).containsSame(jira);
        assertThat(jira.policy()).isEqualTo(Rig.policy(1));
    }

    @Test
    void a_manager_without_settings_makes_breakers_with_the_default_policy() {
        assertThat(Breakers.defaults().breaker("jira").policy()).isEqualTo(BreakerPolicy.defaults());
    }

    @Test
    void asking_with_another_policy_is_a_conflict_that_names_both() {
        breakers.breaker("jira", Rig.policy(2));
        assertThatThrownBy(() -> breakers.breaker("jira", Rig.policy(3)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Circuit breaker 'jira' already exists with " + Rig.policy(2) + ", not with "
                        + Rig.policy(3) + "; remove it first, or use the same policy everywhere");
        assertThat(breakers.breaker("jira").policy()).isEqualTo(Rig.policy(2));
    }

    @Test
    void finding_makes_nothing() {
        assertThat(breakers.find(BreakerName.of("jira"))).isEmpty();
        assertThat(breakers.names()).isEmpty();
    }

    @Test
    void a_server_with_a_slash_is_not_a_tool() {
        BreakerName server = BreakerName.of("a/b");
        BreakerName tool = BreakerName.of("a").tool("b");
        permit(breakers.breaker(server)).failed("bad");
        assertThat(server).hasToString(tool.toString()).isNotEqualTo(tool);
        assertThat(breakers.breaker(tool).state()).isEqualTo(State.CLOSED);
        assertThat(server.scope()).isEqualTo(Scope.SERVER).hasToString("server");
        assertThat(tool.scope()).isEqualTo(Scope.TOOL).hasToString("tool");
        assertThat(breakers.names()).containsExactly(tool, server);
    }

    @Test
    void names_and_snapshots_are_sorted_as_they_print() {
        breakers.breaker("slack");
        breakers.breaker("jira");
        breakers.breaker(BreakerName.of("jira").tool("search"));
        assertThat(breakers.names()).extracting(BreakerName::toString).containsExactly("jira", "jira/search", "slack");
        assertThat(breakers.snapshots())
                .extracting(snapshot -> snapshot.name().toString() + " " + snapshot.scope())
                .containsExactly("jira server", "jira/search tool", "slack server");
    }

    @Test
    void health_takes_forced_open_as_open_and_disabled_as_closed() {
        breakers.breaker("closed");
        breakers.breaker("disabled").disable();
        breakers.breaker("forced").forceOpen("repairs");
        permit(breakers.breaker("half")).failed("bad");
        time.advance(Rig.COOLDOWN);
        permit(breakers.breaker("half"));
        permit(breakers.breaker("broken")).failed("bad");
        assertThat(breakers.health()).isEqualTo(new HealthSummary(5, 2, 2, 1, List.of("broken", "forced", "half")));
    }

    @Test
    void reset_closes_all_of_them() {
        permit(breakers.breaker("jira")).failed("bad");
        breakers.breaker("slack").forceOpen("repairs");
        breakers.breaker("mail").disable();
        breakers.resetAll();
        assertThat(breakers.snapshots()).extracting(BreakerSnapshot::state).containsOnly(State.CLOSED);
    }

    @Test
    void listeners_get_events_of_breakers_created_before_and_after() {
        CircuitBreaker before = breakers.breaker("before");
        Subscription all = breakers.on(BreakerEvent.class, heard::add);
        permit(before).failed("bad");
        before.tryAcquire();
        permit(breakers.breaker("after")).succeeded();
        assertThat(heard)
                .extracting(event -> event.name() + " " + event.getClass().getSimpleName())
                .containsExactly(
                        "before StateChange", "before CallFailed", "before CallRejected", "after CallSucceeded");
        all.close();
        breakers.resetAll();
        assertThat(heard).hasSize(4);
    }

    @Test
    void faults_of_the_managers_listeners_are_counted_where_the_event_began() {
        breakers.on(BreakerEvent.StateChange.class, change -> {
            throw new IllegalStateException("listener");
        });
        breakers.breaker("other");
        permit(breakers.breaker("jira")).failed("bad");
        assertThat(breakers.breaker("jira").snapshot().totals().faults()).isEqualTo(1);
        assertThat(breakers.breaker("other").snapshot().totals().faults()).isZero();
    }

    @Test
    void the_managers_executor_and_judge_serve_all_its_breakers() {
        Breakers others = Breakers.settings()
                .events(task -> {
                    throw new RejectedExecutionException("full");
                })
                .judge(Judge.ofThrowables(thrown -> Verdict.neither()))
                .build();
        others.on(BreakerEvent.class, heard::add);
        CircuitBreaker jira = others.breaker("jira");
        assertThatThrownBy(() -> jira.call(() -> {
                    throw new IllegalStateException("bad");
                }))
                .isInstanceOf(IllegalStateException.class);
        jira.forceOpen("repairs");
        assertThat(jira.snapshot().totals().abandoned()).isEqualTo(1);
        assertThat(jira.snapshot().totals().droppedEvents()).isEqualTo(1);
    }

    @Test
    void running_permits_of_a_removed_breaker_settle_silently_and_without_effect() {
        CircuitBreaker jira = breakers.breaker("jira");
        jira.on(BreakerEvent.class, heard::add);
        breakers.on(BreakerEvent.class, heard::add);
        Permit running = permit(jira);
        assertThat(breakers.remove(jira.name())).isTrue();
        assertThat(running.failed("late")).isTrue();
        assertThat(heard).isEmpty();
        assertThat(jira.state()).isEqualTo(State.CLOSED);
        assertThat(jira.snapshot().totals().late()).isEqualTo(1);
    }

    @Test
    void removed_breaker_that_was_forced_open_still_rejects_calls() {
        CircuitBreaker jira = breakers.breaker("jira");
        Permit running = permit(jira);
        jira.forceOpen("maintenance");
        breakers.on(BreakerEvent.class, heard::add);
        assertThat(breakers.remove(jira.name())).isTrue();
        assertThat(jira.peek()).isNotNull();
        running.failed("late");
        assertThat(jira.snapshot().totals().late()).isEqualTo(1);
        assertThat(heard).isEmpty();
        assertThat(breakers.breaker("jira").state()).isEqualTo(State.CLOSED);
    }

    @Test
    void removing_an_open_breaker_publishes_no_event_and_a_later_one_is_new() {
        CircuitBreaker jira = breakers.breaker("jira");
        permit(jira).failed("bad");
        breakers.on(BreakerEvent.class, heard::add);
        assertThat(breakers.remove(jira.name())).isTrue();
        assertThat(breakers.remove(jira.name())).isFalse();
        assertThat(heard).isEmpty();
        assertThat(breakers.breaker("jira", Rig.policy(7))).isNotSameAs(jira);
        assertThat(breakers.breaker("jira").state()).isEqualTo(State.CLOSED);
    }

    @Test
    void closing_removes_breakers_and_listeners_and_later_ones_are_new() {
        CircuitBreaker jira = breakers.breaker("jira");
        Permit running = permit(jira);
        breakers.on(BreakerEvent.class, heard::add);
        jira.on(BreakerEvent.class, heard::add);
        breakers.close();
        breakers.close();
        running.failed("late");
        assertThat(breakers.names()).isEmpty();
        CircuitBreaker fresh = breakers.breaker("jira");
        permit(fresh).failed("bad");
        assertThat(fresh).isNotSameAs(jira);
        assertThat(jira.state()).isEqualTo(State.CLOSED);
        assertThat(heard).isEmpty();
    }
}
