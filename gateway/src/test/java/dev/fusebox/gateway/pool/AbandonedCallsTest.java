package dev.fusebox.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallSuspension;
import dev.fusebox.client.ConnectionOwner;
import dev.fusebox.client.Principal;
import dev.fusebox.config.PoolRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Calls whose clients are away with a question, when others need their places, one event after the other.
class AbandonedCallsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final int PLACES = 20;

    private final Map<PoolSlot, CallSuspension> callSuspensions = new HashMap<>();
    private final List<PoolSlot> asking = new ArrayList<>();
    private PoolSlots slots = of(Duration.ofSeconds(10));
    private long now;

    private PoolSlots of(Duration queue) {
        PoolRules rules = new PoolRules(
                PLACES,
                new PoolRules.Reserve(0, Duration.ofSeconds(5)),
                new PoolRules.IdleRules(0, Duration.ofMinutes(5)),
                new PoolRules.Waiting(100, queue));
        return new PoolSlots(rules, callSuspensions::get);
    }

    @BeforeEach
    void servers_are_many() {
        slots.share(3);
    }

    private PoolWaiter want(Borrower borrower) {
        PoolWaiter waiter = new PoolWaiter(borrower, Priority.NEEDED, now);
        slots.want(waiter, now);
        return waiter;
    }

    private PoolSlot active(Borrower borrower) {
        PoolWaiter waiter = want(borrower);
        slots.next(now);
        PoolSlot slot = Objects.requireNonNull(waiter.slot(), "no place");
        slot.begin(now);
        slot.enter();
        return slot;
    }

    /// A call whose client leaves with a question just now.
    private PoolSlot ask(Borrower borrower) {
        PoolSlot slot = active(borrower);
        callSuspensions.put(slot, new CallSuspension(now, () -> {}));
        return slot;
    }

    /// All places have calls whose clients left a millisecond after each other.
    private void allAsk() {
        for (int i = 0; i < PLACES; i++) {
            asking.add(ask(TestBorrower.called("asking").of(i)));
            after(MOMENT);
        }
    }

    private void after(Duration time) {
        now += time.toNanos();
    }

    private List<PoolSlot> ended() {
        return slots.next(now).abandoned().stream()
                .map(AbandonedCalls.Call::slot)
                .toList();
    }

    private void gone(PoolSlot slot) {
        slot.close();
        callSuspensions.remove(slot);
        slots.free(slot);
    }

    /// Waits as the pool does: until the time at which it wants to look again.
    private Duration untilSomethingEnds() {
        long begun = now;
        while (ended().isEmpty()) {
            after(Objects.requireNonNull(slots.due(now), "the pool would not look again"));
        }
        return Duration.ofNanos(now - begun);
    }

    @Test
    void twenty_abandoned_questions_make_room_for_another_server_when_the_first_is_twenty_seconds_old() {
        slots = of(Duration.ofMinutes(1));
        servers_are_many();
        allAsk();
        PoolWaiter other = want(TestBorrower.called("other"));

        assertThat(untilSomethingEnds()).isEqualTo(LIMIT.minus(MOMENT.multipliedBy(PLACES)));
        gone(asking.getFirst());
        slots.next(now);

        assertThat(other.slot()).isNotNull();
        after(LIMIT);
        assertThat(ended()).as("calls that end though nobody waits").isEmpty();
    }

    @Test
    void session_gets_the_place_of_an_abandoned_question() {
        allAsk();
        after(LIMIT);
        PoolWaiter session =
                want(new OwningBorrower(TestBorrower.called("other"), new ConnectionOwner(Principal.OWNER, 1)));

        assertThat(ended()).containsExactly(asking.getFirst());
        gone(asking.getFirst());
        slots.next(now);

        assertThat(session.slot()).isNotNull();
    }

    @Test
    void as_many_calls_end_as_places_are_needed_those_with_the_longest_absence_first() {
        allAsk();
        after(LIMIT);
        want(TestBorrower.called("one"));
        want(TestBorrower.called("two"));

        assertThat(ended()).containsExactly(asking.get(0), asking.get(1));
        assertThat(ended()).as("while these are ending").isEmpty();
    }

    @Test
    void when_a_call_does_not_end_another_one_does() {
        allAsk();
        after(LIMIT);
        want(TestBorrower.called("other"));
        assertThat(ended()).containsExactly(asking.get(0));

        after(Duration.ofSeconds(1));

        assertThat(ended()).isEqualTo(List.of(asking.get(0)));
        callSuspensions.remove(asking.get(0));
        after(Duration.ofSeconds(1));
        assertThat(ended()).containsExactly(asking.get(1));
    }

    @Test
    void client_that_came_back_keeps_its_call() {
        allAsk();
        after(LIMIT);
        callSuspensions.remove(asking.getFirst());
        want(TestBorrower.called("other"));

        assertThat(ended()).containsExactly(asking.get(1));
    }

    @Test
    void nothing_ends_while_there_is_room() {
        for (int i = 0; i < PLACES - 1; i++) {
            ask(TestBorrower.called("asking").of(i));
        }
        after(Duration.ofMinutes(4));
        want(TestBorrower.called("other"));

        assertThat(ended()).isEmpty();
    }

    @Test
    void idle_server_makes_room_rather_than_an_abandoned_question() {
        PoolSlot idle = active(TestBorrower.called("idle"));
        for (int i = 1; i < PLACES; i++) {
            ask(TestBorrower.called("asking").of(i));
        }
        after(LIMIT);
        idle.use(now, true);
        idle.leave();
        want(TestBorrower.called("other"));
        assertThat(ended()).isEmpty();

        after(Duration.ofSeconds(1));
        PoolSlots.Step step = slots.next(now);

        assertThat(step.evicted()).containsExactly(idle);
        assertThat(step.abandoned()).isEmpty();
    }

    @Test
    void question_to_the_owner_of_a_process_does_not_end_since_its_place_would_not_become_free() {
        slots.share(1);
        for (int i = 0; i < PLACES; i++) {
            ask(new OwningBorrower(TestBorrower.called("asking"), new ConnectionOwner(Principal.OWNER, i)));
        }
        after(Duration.ofMinutes(4));
        want(TestBorrower.called("other"));

        assertThat(ended()).isEmpty();
    }

    @Test
    void absence_that_begins_while_others_wait_is_noticed_in_time() {
        slots = of(Duration.ofMinutes(2));
        servers_are_many();
        for (int i = 0; i < PLACES; i++) {
            asking.add(active(TestBorrower.called("asking").of(i)));
        }
        want(TestBorrower.called("other"));
        slots.next(now);
        Duration look = Objects.requireNonNull(slots.due(now));
        after(Duration.ofSeconds(3));
        callSuspensions.put(asking.getFirst(), new CallSuspension(now, () -> {}));

        after(look.minusSeconds(3));

        assertThat(untilSomethingEnds().plus(look)).isBetween(LIMIT, LIMIT.plusSeconds(4));
    }
}
