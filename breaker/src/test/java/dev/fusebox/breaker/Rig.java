package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A breaker on a hand-moved clock, with everything it has told. Thread-safe; nothing blocks. */
final class Rig {
    static final Duration COOLDOWN = Duration.ofSeconds(30);

    final ManualTime time = new ManualTime();
    final List<BreakerEvent> events = new CopyOnWriteArrayList<>();
    final CircuitBreaker breaker;

    private Rig(BreakerPolicy policy, Judge judge) {
        this.breaker = CircuitBreaker.named("jira")
                .policy(policy)
                .judge(judge)
                .surroundings(time.surroundings())
                .build();
        breaker.on(BreakerEvent.class, events::add);
    }

    static Rig of(BreakerPolicy policy) {
        return new Rig(policy, Judge.defaults());
    }

    static Rig of(BreakerPolicy policy, Judge judge) {
        return new Rig(policy, judge);
    }

    /** Trips on so many failures in a row, for 30 seconds, with one probe. */
    static Rig consecutive(int failures) {
        return of(policy(failures));
    }

    static BreakerPolicy policy(int failures) {
        return BreakerPolicy.defaults().with(new TripRule.Consecutive(failures)).with(Cooldown.fixed(COOLDOWN));
    }

    /** Tripped by one failure, its cooldown over. */
    static Rig dueForTests(HalfOpen rules) {
        Rig rig = of(policy(1).with(rules));
        rig.fail(1);
        rig.time.advance(COOLDOWN);
        return rig;
    }

    Permit permit() {
        Admission admission = breaker.tryAcquire();
        assertThat(admission).isInstanceOf(Permit.class);
        return (Permit) admission;
    }

    /** Time, from now on, after which a place is free; not before. */
    void assertPlaceIsFreeAfter(Duration left) {
        time.advance(left.minusNanos(1));
        rejection();
        time.advanceNanos(1);
        permit();
    }

    Rejection rejection() {
        Admission admission = breaker.tryAcquire();
        assertThat(admission).isInstanceOf(Rejection.class);
        return (Rejection) admission;
    }

    void fail(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(permit().failed("bad")).isTrue();
        }
    }

    void succeed(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(permit().succeeded()).isTrue();
        }
    }

    State state() {
        return breaker.state();
    }

    BreakerSnapshot.Totals totals() {
        return breaker.snapshot().totals();
    }

    <E extends BreakerEvent> List<E> heard(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** The states that were told, in order. */
    List<State> path() {
        return heard(BreakerEvent.StateChange.class).stream()
                .map(BreakerEvent.StateChange::to)
                .toList();
    }
}
