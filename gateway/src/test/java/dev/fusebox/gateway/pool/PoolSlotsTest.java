package dev.fusebox.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.PoolRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Who gets a seat and who has to leave one, one event after the other.
class PoolSlotsTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Map<String, PoolSlot> slots = new HashMap<>();
    private final List<PoolWaiter> waiting = new ArrayList<>();
    private PoolSlots core = new PoolSlots(rules(2, 0, 0), slot -> null);
    private long now;

    /// @param least so many stay
    private static PoolRules rules(int size, int reserve, int least) {
        return new PoolRules(
                size,
                new PoolRules.Reserve(reserve, Duration.ofSeconds(5)),
                new PoolRules.IdleRules(least, LONG),
                new PoolRules.Waiting(3, Duration.ofSeconds(10)));
    }

    private void pool(PoolRules rules) {
        core = new PoolSlots(rules, slot -> null);
    }

    private boolean want(Borrower borrower) {
        PoolWaiter waiter = new PoolWaiter(borrower, Priority.NEEDED, now);
        boolean mayWait = core.want(waiter, now) == PoolSlots.RequestResult.WAITS;
        if (mayWait) {
            waiting.add(waiter);
        }
        look();
        return mayWait;
    }

    /// Servers whose connections end now.
    private List<String> look() {
        PoolSlots.Step step = core.next(now);
        for (PoolWaiter waiter : List.copyOf(waiting)) {
            PoolSlot slot = waiter.slot();
            if (slot != null) {
                waiting.remove(waiter);
                slots.put(waiter.borrower().server(), slot);
            }
        }
        List<String> ending = new ArrayList<>();
        step.evicted().forEach(slot -> ending.add(slot.borrower().server()));
        step.expired().forEach(slot -> ending.add(slot.borrower().server()));
        return ending;
    }

    private PoolSlot slot(String server) {
        return Objects.requireNonNull(slots.get(server), server + " has none");
    }

    private boolean has(String server) {
        return slots.containsKey(server);
    }

    /// The connection of a server is there, and was used just now.
    private void used(String server) {
        PoolSlot slot = slot(server);
        slot.begin(now);
        slot.enter();
        slot.use(now, true);
        slot.leave();
    }

    private void busy(String server) {
        slot(server).begin(now);
        slot(server).enter();
    }

    private void gone(String server) {
        core.free(slot(server));
        slots.remove(server);
        look();
    }

    private void after(Duration time) {
        now += time.toNanos();
    }

    private static TestBorrower server(String name) {
        return TestBorrower.called(name);
    }

    @Test
    void there_are_as_many_as_there_may_be_and_the_others_wait() {
        for (String name : List.of("a", "b", "c")) {
            want(server(name));
        }
        assertThat(slots).containsOnlyKeys("a", "b");
        assertThat(core.waiting()).isEqualTo(1);
    }

    @Test
    void no_more_may_wait_than_are_let() {
        for (String name : List.of("a", "b", "c", "d", "e")) {
            assertThat(want(server(name))).isTrue();
        }
        assertThat(want(server("f"))).isFalse();
    }

    @Test
    void the_one_that_was_used_longest_ago_makes_room_and_counts_until_it_is_gone() {
        want(server("a"));
        want(server("b"));
        used("a");
        after(Duration.ofSeconds(1));
        used("b");
        after(Duration.ofSeconds(1));
        used("a");
        want(server("c"));
        assertThat(slot("b").state()).isEqualTo(ConnectionState.CLOSED);
        assertThat(has("c")).isFalse();
        gone("b");
        assertThat(has("c")).isTrue();
    }

    @Test
    void calls_may_use_connections_while_their_last_uses_are_compared() throws Exception {
        int size = 200;
        pool(rules(size, 0, 0));
        for (int i = 0; i < size; i++) {
            want(server("s" + i).wanted());
        }
        slots.values().forEach(slot -> slot.begin(now));
        List<PoolSlot> used = List.copyOf(slots.values());
        AtomicBoolean isOver = new AtomicBoolean();
        Thread calls = Thread.ofPlatform().start(() -> {
            Random random = new Random(1);
            while (!isOver.get()) {
                used.get(random.nextInt(size)).use(random.nextLong(1_000_000), false);
            }
        });
        try {
            for (int i = 0; i < 5_000; i++) {
                assertThat(core.due(now)).isNotNull();
            }
        } finally {
            isOver.set(true);
            calls.join();
        }
    }

    private void oldIsBusyAndNoMoreAndOtherIsIdle() {
        want(server("old").retired());
        want(server("other"));
        busy("old");
        used("other");
        after(Duration.ofSeconds(2));
    }

    @Test
    void slot_of_a_removed_server_is_reused_before_another_is_evicted() {
        oldIsBusyAndNoMoreAndOtherIsIdle();
        want(server("new"));
        assertThat(look()).isEmpty();
        gone("old");
        assertThat(has("new")).isTrue();
        assertThat(slot("other").isOver()).isFalse();
    }

    @Test
    void it_is_awaited_for_a_second_and_no_longer() {
        oldIsBusyAndNoMoreAndOtherIsIdle();
        want(server("new"));
        assertThat(core.due(now)).isEqualTo(Duration.ofSeconds(1));
        after(Duration.ofSeconds(1));
        assertThat(look()).containsExactly("other");
    }

    @Test
    void one_slot_that_will_be_left_is_enough_for_one() {
        oldIsBusyAndNoMoreAndOtherIsIdle();
        want(server("new"));
        want(server("next"));
        assertThat(slot("other").isOver()).isTrue();
    }

    @Test
    void busy_connection_is_not_evicted() {
        want(server("a"));
        want(server("b").wanted());
        busy("a");
        used("b");
        want(server("c"));
        after(Duration.ofHours(1));
        assertThat(look()).isEmpty();
        slot("a").leave();
        assertThat(look()).containsExactly("a");
    }

    @Test
    void a_server_that_needs_another_connection_itself_gives_up_the_one_it_has() {
        pool(rules(1, 0, 0));
        want(server("a").wanted());
        used("a");
        want(server("a").wanted());
        assertThat(slot("a").state()).isEqualTo(ConnectionState.CLOSED);
    }

    @Test
    void waiter_gets_to_use_the_connection_that_it_waited_for() {
        pool(rules(1, 0, 0));
        want(server("a"));
        slot("a").begin(now);
        want(server("b"));
        assertThat(look()).isEmpty();
        Duration due = Objects.requireNonNull(core.due(now));
        after(due);
        assertThat(look()).containsExactly("a");
    }

    @Test
    void kept_alive_connection_is_not_evicted() {
        pool(rules(1, 0, 0));
        want(server("a").with(new IdlePolicy.KeepAlive(null, false)));
        used("a");
        want(server("b"));
        after(Duration.ofDays(1));
        assertThat(look()).isEmpty();
    }

    @Test
    void the_reserve_is_used_when_the_oldest_has_waited_for_long_and_is_given_back() {
        pool(rules(1, 1, 0));
        want(server("a"));
        busy("a");
        want(server("b"));
        assertThat(core.due(now)).isEqualTo(Duration.ofSeconds(5));
        after(Duration.ofSeconds(5).minusNanos(1));
        assertThat(look()).isEmpty();
        assertThat(has("b")).isFalse();
        after(Duration.ofNanos(1));
        look();
        assertThat(has("b")).isTrue();
        used("b");
        assertThat(look()).containsExactly("b");
    }

    @Test
    void clients_take_turns_and_each_keeps_its_order() {
        pool(rules(1, 0, 0));
        want(server("first"));
        busy("first");
        for (String greedy : List.of("g1", "g2")) {
            want(server(greedy).of("greedy"));
        }
        want(server("p").of("polite"));
        List<String> order = new ArrayList<>();
        while (core.waiting() > 0) {
            String last = slots.keySet().iterator().next();
            gone(last);
            order.addAll(slots.keySet());
        }
        assertThat(order).containsExactly("g1", "p", "g2");
    }

    @Test
    void idle_connections_end_down_to_the_minimum() {
        pool(rules(3, 0, 1));
        for (String name : List.of("a", "b", "c")) {
            want(server(name));
            used(name);
            after(Duration.ofSeconds(1));
        }
        assertThat(core.due(now)).isEqualTo(LONG.minusSeconds(3));
        after(LONG.minusSeconds(3));
        assertThat(look()).containsExactly("a");
        after(LONG);
        assertThat(look()).containsExactly("b");
        after(LONG);
        assertThat(look()).isEmpty();
    }

    @Test
    void each_server_has_its_own_idle_timeout() {
        pool(rules(3, 0, 3));
        want(server("brief").with(new IdlePolicy.Ephemeral(Duration.ofSeconds(1))));
        want(server("kept").with(new IdlePolicy.KeepAlive(null, false)));
        used("brief");
        used("kept");
        assertThat(look()).isEmpty();
        assertThat(core.due(now)).isEqualTo(Duration.ofSeconds(1));
        after(Duration.ofSeconds(1));
        assertThat(look()).containsExactly("brief");
        after(Duration.ofDays(1));
        assertThat(look()).isEmpty();
    }

    @Test
    void a_clock_that_wraps_around_changes_nothing() {
        now = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();
        pool(rules(2, 0, 0));
        want(server("a"));
        used("a");
        after(Duration.ofSeconds(2));
        want(server("b"));
        used("b");
        want(server("c"));
        assertThat(slot("a").state()).isEqualTo(ConnectionState.CLOSED);
        assertThat(slot("b").state()).isEqualTo(ConnectionState.IDLE);
    }

    @Test
    void nothing_is_due_in_an_empty_pool() {
        @Nullable Duration due = core.due(now);
        assertThat(due).isNull();
    }
}
