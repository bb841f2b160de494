package dev.fusebox.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.ConnectionOwner;
import dev.fusebox.client.Principal;
import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.PoolRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Places of connections that belong to sessions, and when a connection counts as idle, one event after the other.
class SessionPlacesTest {
    private static final Duration USUAL_IDLE = Duration.ofMinutes(5);

    private final List<PoolWaiter> waiting = new ArrayList<>();
    private PoolSlots slots = of(2);
    private long now;

    private static PoolSlots of(int size) {
        PoolRules rules = new PoolRules(
                size,
                new PoolRules.Reserve(0, Duration.ofSeconds(5)),
                new PoolRules.IdleRules(0, USUAL_IDLE),
                new PoolRules.Waiting(100, Duration.ofSeconds(20)));
        return new PoolSlots(rules, slot -> null);
    }

    @BeforeEach
    void servers_are_many() {
        slots.share(2);
    }

    private void onlyServerWith(int places) {
        slots = of(places);
        slots.share(1);
    }

    private void amongOthersWith(int places) {
        slots = of(places);
        slots.share(5);
    }

    private static Borrower session(String server, int number) {
        return new OwningBorrower(TestBorrower.called(server), new ConnectionOwner(Principal.OWNER, number));
    }

    @Test
    void connections_of_one_owner_are_equal_and_of_another_principal_are_not() {
        Borrower root = TestBorrower.called("a");
        Principal ada = new Principal("ada");
        assertThat(new OwningBorrower(root, new ConnectionOwner(ada, 1)))
                .isEqualTo(new OwningBorrower(root, new ConnectionOwner(new Principal("ada"), 1)))
                .isNotEqualTo(new OwningBorrower(root, new ConnectionOwner(ada, 2)))
                .isNotEqualTo(new OwningBorrower(root, new ConnectionOwner(Principal.OWNER, 1)))
                .isNotEqualTo(root);
    }

    private PoolSlots.RequestResult want(Borrower borrower) {
        PoolWaiter waiter = new PoolWaiter(borrower, Priority.NEEDED, now);
        PoolSlots.RequestResult wish = slots.want(waiter, now);
        waiting.add(waiter);
        look();
        return wish;
    }

    private PoolSlots.Step look() {
        return slots.next(now);
    }

    private boolean has(Borrower borrower) {
        return waiting.stream().anyMatch(waiter -> waiter.borrower().equals(borrower) && waiter.slot() != null);
    }

    private PoolSlot slot(Borrower borrower) {
        return waiting.stream()
                .filter(waiter -> waiter.borrower().equals(borrower) && waiter.slot() != null)
                .map(waiter -> Objects.requireNonNull(waiter.slot()))
                .reduce((first, last) -> last)
                .orElseThrow();
    }

    /// Its connection is there, and its client has made a call on it.
    private Borrower used(Borrower borrower) {
        want(borrower);
        slot(borrower).begin(now);
        call(borrower);
        return borrower;
    }

    private void call(Borrower borrower) {
        PoolSlot slot = slot(borrower);
        assertThat(slot.enter()).isTrue();
        slot.use(now, true);
        slot.leave();
    }

    private void after(Duration time) {
        now += time.toNanos();
    }

    private void ended(Borrower borrower) {
        PoolSlot slot = slot(borrower);
        slot.close();
        slots.free(slot);
        look();
    }

    @Test
    void pressure_never_takes_the_process_of_a_session() {
        onlyServerWith(1);
        Borrower owner = used(session("a", 1));
        Borrower other = TestBorrower.called("b");
        want(other);
        after(Duration.ofMinutes(29));
        assertThat(look().evicted()).isEmpty();
        assertThat(has(other)).isFalse();
        assertThat(slot(owner).isOver()).isFalse();
    }

    @Test
    void session_without_room_is_refused_at_once() {
        onlyServerWith(2);
        used(session("a", 1));
        used(session("a", 2));
        assertThat(want(session("a", 3))).isEqualTo(PoolSlots.RequestResult.NO_PLACE);
        assertThat(slots.waiting()).isZero();
    }

    @Test
    void session_waits_for_the_place_of_a_shared_server_that_is_busy() {
        onlyServerWith(2);
        Borrower shared = used(TestBorrower.called("shared"));
        used(session("a", 1));
        slot(shared).enter();
        assertThat(want(session("a", 2))).isEqualTo(PoolSlots.RequestResult.WAITS);
        slot(shared).leave();
        after(Duration.ofSeconds(1));
        assertThat(look().evicted()).containsExactly(slot(shared));
    }

    @Test
    void session_waits_for_a_slot_whose_process_is_ending() {
        onlyServerWith(1);
        Borrower first = used(session("a", 1));
        slot(first).close();
        slots.leave(slot(first));
        assertThat(want(session("a", 2))).isEqualTo(PoolSlots.RequestResult.WAITS);
        ended(first);
        assertThat(has(session("a", 2))).isTrue();
    }

    @Test
    void session_stops_waiting_when_others_got_what_it_waited_for() {
        onlyServerWith(1);
        Borrower first = used(session("a", 1));
        slot(first).close();
        slots.leave(slot(first));
        want(session("a", 2));
        want(session("a", 3));
        ended(first);
        slot(session("a", 2)).begin(now);
        call(session("a", 2));
        look();
        assertThat(slots.waiting()).isZero();
        assertThat(waiting.getLast().wish()).isEqualTo(PoolSlots.RequestResult.NO_PLACE);
    }

    @Test
    void process_that_its_session_has_not_used_makes_room() {
        onlyServerWith(1);
        Borrower unused = session("a", 1);
        want(unused);
        slot(unused).begin(now);
        after(Duration.ofSeconds(2));
        assertThat(want(session("a", 2))).isEqualTo(PoolSlots.RequestResult.WAITS);
        assertThat(slot(unused).isOver()).isTrue();
    }

    @Test
    void process_of_a_session_stays_for_half_an_hour_without_calls() {
        onlyServerWith(1);
        Borrower owner = used(session("a", 1));
        after(Duration.ofMinutes(30).minusSeconds(1));
        assertThat(look().expired()).isEmpty();
        assertThat(slots.due(now)).isEqualTo(Duration.ofSeconds(1));
        after(Duration.ofSeconds(1));
        assertThat(look().expired()).containsExactly(slot(owner));
    }

    @Test
    void session_process_has_the_idle_timeout_of_its_server() {
        onlyServerWith(1);
        Borrower owner = used(new OwningBorrower(
                TestBorrower.called("a").with(new IdlePolicy.Usual(Duration.ofSeconds(7))),
                new ConnectionOwner(Principal.OWNER, 1)));
        after(Duration.ofSeconds(7));
        assertThat(look().expired()).containsExactly(slot(owner));
    }

    @Test
    void sessions_of_the_only_server_may_have_all_places() {
        onlyServerWith(4);
        for (int number = 1; number <= 4; number++) {
            assertThat(has(used(session("a", number)))).isTrue();
        }
    }

    @Test
    void sessions_of_one_server_among_several_have_at_most_half_of_the_places() {
        amongOthersWith(4);
        used(session("a", 1));
        used(session("a", 2));
        assertThat(want(session("a", 3))).isEqualTo(PoolSlots.RequestResult.NO_PLACE_FOR_SERVER);
        assertThat(want(session("b", 1))).isEqualTo(PoolSlots.RequestResult.WAITS);
        assertThat(has(session("b", 1))).isTrue();
    }

    @Test
    void session_of_a_server_with_half_of_the_places_gets_that_of_a_connection_which_no_session_has_used() {
        amongOthersWith(4);
        used(session("a", 1));
        want(session("a", 2));
        PoolSlot unused = slot(session("a", 2));
        unused.begin(now);
        assertThat(want(session("a", 3))).isEqualTo(PoolSlots.RequestResult.WAITS);

        after(Duration.ofSeconds(1));
        assertThat(look().evicted()).containsExactly(unused);
        ended(session("a", 2));

        assertThat(has(session("a", 3))).isTrue();
        assertThat(want(session("a", 4))).isEqualTo(PoolSlots.RequestResult.WAITS);
        slot(session("a", 3)).begin(now);
        call(session("a", 3));
        look();
        assertThat(waiting.getLast().wish()).isEqualTo(PoolSlots.RequestResult.NO_PLACE_FOR_SERVER);
    }

    @Test
    void server_with_half_of_the_places_lets_others_go_first() {
        amongOthersWith(2);
        Borrower first = used(TestBorrower.called("a"));
        Borrower second = used(TestBorrower.called("x"));
        slot(first).enter();
        slot(second).enter();
        Borrower more = TestBorrower.called("a").of("another client");
        want(more);
        Borrower modest = TestBorrower.called("b");
        want(modest);
        ended(second);
        assertThat(has(modest)).isTrue();
        assertThat(has(more)).isFalse();
    }

    @Test
    void server_is_idle_only_when_unused_for_as_long_as_its_start_took() {
        onlyServerWith(1);
        Borrower slow = TestBorrower.called("slow");
        want(slow);
        after(Duration.ofSeconds(3));
        slot(slow).begin(now);
        call(slow);
        want(TestBorrower.called("other"));
        after(Duration.ofSeconds(3).minusNanos(1));
        assertThat(look().evicted()).isEmpty();
        assertThat(slots.due(now)).isEqualTo(Duration.ofNanos(1));
        after(Duration.ofNanos(1));
        assertThat(look().evicted()).containsExactly(slot(slow));
    }

    @Test
    void server_that_starts_at_once_is_idle_after_half_a_second() {
        onlyServerWith(1);
        Borrower quick = used(TestBorrower.called("quick"));
        want(TestBorrower.called("other"));
        after(Duration.ofMillis(499));
        assertThat(look().evicted()).isEmpty();
        after(Duration.ofMillis(1));
        assertThat(look().evicted()).containsExactly(slot(quick));
    }

    @Test
    void long_waiter_gets_the_slot_of_a_constantly_used_server() {
        onlyServerWith(1);
        Borrower busy = used(TestBorrower.called("busy"));
        want(TestBorrower.called("other"));
        for (int tenths = 1; tenths < 50; tenths++) {
            after(Duration.ofMillis(100));
            call(busy);
            assertThat(look().evicted()).isEmpty();
        }
        after(Duration.ofMillis(100));
        assertThat(look().evicted()).containsExactly(slot(busy));
    }

    @Test
    void number_of_connections_needed_counts_those_in_use_and_those_that_got_none() {
        onlyServerWith(2);
        used(session("a", 1));
        used(session("a", 2));
        want(session("a", 3));
        want(session("a", 3));
        want(session("a", 4));
        assertThat(slots.needed(now)).isEqualTo(4);
        after(Duration.ofSeconds(61));
        call(session("a", 1));
        assertThat(slots.needed(now)).isEqualTo(1);
    }
}
