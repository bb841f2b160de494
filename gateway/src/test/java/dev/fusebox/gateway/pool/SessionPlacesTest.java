package dev.fusebox.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Places of connections that belong to sessions, and when a connection counts as idle, one event after the other.
class SessionPlacesTest {
    private static final Duration USUAL_IDLE = Duration.ofMinutes(5);

    private final List<Waiter> waiting = new ArrayList<>();
    private Seats seats = of(2);
    private long now;

    private static Seats of(int size) {
        PoolRules rules = new PoolRules(
                size,
                new PoolRules.Reserve(0, Duration.ofSeconds(5)),
                new PoolRules.Keeping(0, USUAL_IDLE),
                new PoolRules.Waiting(100, Duration.ofSeconds(20)));
        return new Seats(rules, seat -> null);
    }

    @BeforeEach
    void servers_are_many() {
        seats.share(2);
    }

    private void onlyServerWith(int places) {
        seats = of(places);
        seats.share(1);
    }

    private void amongOthersWith(int places) {
        seats = of(places);
        seats.share(5);
    }

    private static Tenant session(String server, int number) {
        return new SessionTenant(Someone.called(server), number);
    }

    private Seats.Wish want(Tenant tenant) {
        Waiter waiter = new Waiter(tenant, Urgency.NEEDED, now);
        Seats.Wish wish = seats.want(waiter, now);
        waiting.add(waiter);
        look();
        return wish;
    }

    private Seats.Step look() {
        return seats.next(now);
    }

    private boolean has(Tenant tenant) {
        return waiting.stream().anyMatch(waiter -> waiter.tenant().equals(tenant) && waiter.seat() != null);
    }

    private Seat seat(Tenant tenant) {
        return waiting.stream()
                .filter(waiter -> waiter.tenant().equals(tenant) && waiter.seat() != null)
                .map(waiter -> Objects.requireNonNull(waiter.seat()))
                .reduce((first, last) -> last)
                .orElseThrow();
    }

    /// Its connection is there, and its client has made a call on it.
    private Tenant used(Tenant tenant) {
        want(tenant);
        seat(tenant).begin(now);
        call(tenant);
        return tenant;
    }

    private void call(Tenant tenant) {
        Seat seat = seat(tenant);
        assertThat(seat.enter()).isTrue();
        seat.use(now, true);
        seat.leave();
    }

    private void after(Duration time) {
        now += time.toNanos();
    }

    private void ended(Tenant tenant) {
        Seat seat = seat(tenant);
        seat.close();
        seats.free(seat);
        look();
    }

    @Test
    void pressure_never_takes_the_process_of_a_session() {
        onlyServerWith(1);
        Tenant owner = used(session("a", 1));
        Tenant other = Someone.called("b");
        want(other);
        after(Duration.ofMinutes(29));
        assertThat(look().evicted()).isEmpty();
        assertThat(has(other)).isFalse();
        assertThat(seat(owner).isOver()).isFalse();
    }

    @Test
    void session_without_room_is_refused_at_once() {
        onlyServerWith(2);
        used(session("a", 1));
        used(session("a", 2));
        assertThat(want(session("a", 3))).isEqualTo(Seats.Wish.NO_PLACE);
        assertThat(seats.waiting()).isZero();
    }

    @Test
    void session_waits_for_the_place_of_a_shared_server_that_is_busy() {
        onlyServerWith(2);
        Tenant shared = used(Someone.called("shared"));
        used(session("a", 1));
        seat(shared).enter();
        assertThat(want(session("a", 2))).isEqualTo(Seats.Wish.WAITS);
        seat(shared).leave();
        after(Duration.ofSeconds(1));
        assertThat(look().evicted()).containsExactly(seat(shared));
    }

    @Test
    void session_waits_for_a_place_whose_process_is_ending() {
        onlyServerWith(1);
        Tenant first = used(session("a", 1));
        seat(first).close();
        seats.leave(seat(first));
        assertThat(want(session("a", 2))).isEqualTo(Seats.Wish.WAITS);
        ended(first);
        assertThat(has(session("a", 2))).isTrue();
    }

    @Test
    void session_stops_waiting_when_others_got_what_it_waited_for() {
        onlyServerWith(1);
        Tenant first = used(session("a", 1));
        seat(first).close();
        seats.leave(seat(first));
        want(session("a", 2));
        want(session("a", 3));
        ended(first);
        seat(session("a", 2)).begin(now);
        call(session("a", 2));
        look();
        assertThat(seats.waiting()).isZero();
        assertThat(waiting.getLast().wish()).isEqualTo(Seats.Wish.NO_PLACE);
    }

    @Test
    void process_that_its_session_has_not_used_makes_room() {
        onlyServerWith(1);
        Tenant unused = session("a", 1);
        want(unused);
        seat(unused).begin(now);
        after(Duration.ofSeconds(2));
        assertThat(want(session("a", 2))).isEqualTo(Seats.Wish.WAITS);
        assertThat(seat(unused).isOver()).isTrue();
    }

    @Test
    void process_of_a_session_stays_for_half_an_hour_without_calls() {
        onlyServerWith(1);
        Tenant owner = used(session("a", 1));
        after(Duration.ofMinutes(30).minusSeconds(1));
        assertThat(look().expired()).isEmpty();
        assertThat(seats.due(now)).isEqualTo(Duration.ofSeconds(1));
        after(Duration.ofSeconds(1));
        assertThat(look().expired()).containsExactly(seat(owner));
    }

    @Test
    void process_of_a_session_stays_for_as_long_as_its_server_says() {
        onlyServerWith(1);
        Tenant owner = used(new SessionTenant(Someone.called("a").with(new Stay.Usual(Duration.ofSeconds(7))), 1));
        after(Duration.ofSeconds(7));
        assertThat(look().expired()).containsExactly(seat(owner));
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
        assertThat(want(session("a", 3))).isEqualTo(Seats.Wish.NO_PLACE_FOR_SERVER);
        assertThat(want(session("b", 1))).isEqualTo(Seats.Wish.WAITS);
        assertThat(has(session("b", 1))).isTrue();
    }

    @Test
    void session_of_a_server_with_half_of_the_places_gets_that_of_a_connection_which_no_session_has_used() {
        amongOthersWith(4);
        used(session("a", 1));
        want(session("a", 2));
        Seat unused = seat(session("a", 2));
        unused.begin(now);
        assertThat(want(session("a", 3))).isEqualTo(Seats.Wish.WAITS);

        after(Duration.ofSeconds(1));
        assertThat(look().evicted()).containsExactly(unused);
        ended(session("a", 2));

        assertThat(has(session("a", 3))).isTrue();
        assertThat(want(session("a", 4))).isEqualTo(Seats.Wish.WAITS);
        seat(session("a", 3)).begin(now);
        call(session("a", 3));
        look();
        assertThat(waiting.getLast().wish()).isEqualTo(Seats.Wish.NO_PLACE_FOR_SERVER);
    }

    @Test
    void server_with_half_of_the_places_lets_others_go_first() {
        amongOthersWith(2);
        Tenant first = used(Someone.called("a"));
        Tenant second = used(Someone.called("x"));
        seat(first).enter();
        seat(second).enter();
        Tenant more = Someone.called("a").of("another client");
        want(more);
        Tenant modest = Someone.called("b");
        want(modest);
        ended(second);
        assertThat(has(modest)).isTrue();
        assertThat(has(more)).isFalse();
    }

    @Test
    void server_is_idle_only_when_unused_for_as_long_as_its_start_took() {
        onlyServerWith(1);
        Tenant slow = Someone.called("slow");
        want(slow);
        after(Duration.ofSeconds(3));
        seat(slow).begin(now);
        call(slow);
        want(Someone.called("other"));
        after(Duration.ofSeconds(3).minusNanos(1));
        assertThat(look().evicted()).isEmpty();
        assertThat(seats.due(now)).isEqualTo(Duration.ofNanos(1));
        after(Duration.ofNanos(1));
        assertThat(look().evicted()).containsExactly(seat(slow));
    }

    @Test
    void server_that_starts_at_once_is_idle_after_half_a_second() {
        onlyServerWith(1);
        Tenant quick = used(Someone.called("quick"));
        want(Someone.called("other"));
        after(Duration.ofMillis(499));
        assertThat(look().evicted()).isEmpty();
        after(Duration.ofMillis(1));
        assertThat(look().evicted()).containsExactly(seat(quick));
    }

    @Test
    void whoever_has_waited_for_long_gets_the_place_of_a_server_that_is_called_all_the_time() {
        onlyServerWith(1);
        Tenant busy = used(Someone.called("busy"));
        want(Someone.called("other"));
        for (int tenths = 1; tenths < 50; tenths++) {
            after(Duration.ofMillis(100));
            call(busy);
            assertThat(look().evicted()).isEmpty();
        }
        after(Duration.ofMillis(100));
        assertThat(look().evicted()).containsExactly(seat(busy));
    }

    @Test
    void number_of_connections_needed_counts_those_in_use_and_those_that_got_none() {
        onlyServerWith(2);
        used(session("a", 1));
        used(session("a", 2));
        want(session("a", 3));
        want(session("a", 3));
        want(session("a", 4));
        assertThat(seats.needed(now)).isEqualTo(4);
        after(Duration.ofSeconds(61));
        call(session("a", 1));
        assertThat(seats.needed(now)).isEqualTo(1);
    }
}
