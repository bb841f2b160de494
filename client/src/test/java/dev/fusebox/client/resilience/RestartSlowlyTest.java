package dev.fusebox.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.resilience.FairBulkhead.Limits;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How a server that is back gets its calls: four at once, then eight, and all of them after two seconds. After a
/// crash that ended several calls it is one at first.
@Timeout(60)
class RestartSlowlyTest {
    private static final Duration STEP = Duration.ofMillis(250);

    private final ManualTime time = new ManualTime();
    private final FairBulkhead bulkhead = new FairBulkhead(new Limits(50, 1_000, 1_000_000), time.platform());
    private final ConcurrentCallers callers = new ConcurrentCallers(time, bulkhead);

    private void fourAreInside(String client) throws Exception {
        for (int i = 0; i < 4; i++) {
            callers.inside(client, 1);
        }
    }

    @Test
    void four_calls_are_admitted_then_twice_as_many_with_each_answer_up_to_the_limit() throws Exception {
        bulkhead.restartSlowly();
        List<Integer> limits = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            limits.add(bulkhead.limit());
            var slot = callers.inside("a", 1);
            slot.answered();
            slot.close();
        }
        assertThat(limits).containsExactly(4, 8, 16, 32, 50, 50);
    }

    @Test
    void waiting_calls_come_in_as_answers_arrive() throws Exception {
        bulkhead.restartSlowly();
        var first = callers.inside("a", 1);
        for (int i = 0; i < 3; i++) {
            callers.inside("a", 1);
        }
        var waiting = callers.waiting("b", 1);
        first.answered();
        first.close();
        waiting.slot();
        assertThat(bulkhead.limit()).isEqualTo(8);
    }

    @Test
    void the_limit_doubles_every_250_ms_without_an_answer_and_without_a_failure() throws Exception {
        bulkhead.restartSlowly();
        fourAreInside("slow");
        var waiting = callers.waiting("quick", 1);
        time.advance(STEP.minusNanos(1));
        assertThat(waiting.task().isDone()).isFalse();
        time.advance(Duration.ofNanos(1));
        waiting.slot();
        assertThat(bulkhead.limit()).isEqualTo(8);
    }

    @Test
    void a_call_that_fails_makes_room_for_one_and_delays_the_next_doubling() throws Exception {
        bulkhead.restartSlowly();
        var first = callers.inside("a", 1);
        for (int i = 0; i < 3; i++) {
            callers.inside("a", 1);
        }
        var second = callers.waiting("b", 1);
        var third = callers.waiting("c", 1);
        time.advance(STEP.minusNanos(1));
        first.close();
        second.slot();
        time.advance(STEP.minusNanos(1));
        assertThat(third.task().isDone()).isFalse();
        assertThat(bulkhead.limit()).isEqualTo(4);
        time.advance(Duration.ofNanos(1));
        third.slot();
    }

    @Test
    void after_two_seconds_the_usual_limit_holds_even_if_all_calls_fail_and_hang() throws Exception {
        bulkhead.restartSlowly();
        for (int i = 0; i < 3; i++) {
            callers.inside("hanging", 1);
        }
        for (int step = 0; step < 20; step++) {
            assertThat(bulkhead.limit()).isEqualTo(4);
            callers.inside("failing", 1).close();
            time.advance(Duration.ofMillis(100));
        }
        assertThat(bulkhead.limit()).isEqualTo(50);
    }

    @Test
    void sessions_take_turns_so_that_one_session_with_many_calls_does_not_keep_a_quick_call_out() throws Exception {
        bulkhead.restartSlowly();
        fourAreInside("greedy");
        for (int i = 0; i < 20; i++) {
            callers.waiting("greedy", 1);
        }
        var quick = callers.waiting("quick", 1);
        time.advance(STEP);
        quick.slot();
        assertThat(bulkhead.waiting()).isGreaterThan(10);
    }

    @Test
    void earlier_calls_neither_fill_nor_raise_the_limit_of_a_slow_start() throws Exception {
        var before = callers.inside("a", 1);
        bulkhead.restartSlowly();
        fourAreInside("b");
        before.answered();
        before.close();
        assertThat(bulkhead.limit()).isEqualTo(4);
        callers.waiting("c", 1);
    }

    @Test
    void calls_from_before_count_for_the_usual_limit() throws Exception {
        for (int i = 0; i < 50; i++) {
            callers.inside("a", 1);
        }
        bulkhead.restartSlowly();
        callers.waiting("b", 1);
        assertThat(bulkhead.inFlight()).isEqualTo(50);
    }

    @Test
    void a_second_outage_begins_anew() throws Exception {
        bulkhead.restartSlowly();
        fourAreInside("a");
        var waiting = callers.waiting("b", 1);
        bulkhead.restartSlowly();
        var again = waiting.slot();
        again.answered();
        assertThat(bulkhead.limit()).isEqualTo(4);
        again.close();
        assertThat(bulkhead.limit()).isEqualTo(8);
    }

    @Test
    void nothing_is_planned_any_more_once_the_usual_limit_holds() {
        bulkhead.restartSlowly();
        assertThat(time.pending()).isEqualTo(1);
        time.advance(Duration.ofSeconds(2));
        assertThat(time.pending()).isZero();
        assertThat(bulkhead.limit()).isEqualTo(50);
    }

    // ---- After a crash

    @Test
    void after_a_crash_one_call_is_admitted_and_more_every_250_ms_with_the_next_process() throws Exception {
        bulkhead.restartOneByOne();
        callers.inside("a", 1);
        var second = callers.waiting("b", 1);
        time.advance(STEP.multipliedBy(3));
        assertThat(second.task().isDone()).isFalse();
        bulkhead.connected();
        time.advance(STEP.minusNanos(1));
        assertThat(second.task().isDone()).isFalse();
        time.advance(Duration.ofNanos(1));
        second.slot();
        assertThat(bulkhead.limit()).isEqualTo(2);
    }

    @Test
    void after_a_crash_without_a_new_process_the_usual_limit_holds_after_two_seconds() throws Exception {
        bulkhead.restartOneByOne();
        callers.inside("a", 1);
        var second = callers.waiting("b", 1);
        time.advance(Duration.ofSeconds(2));
        second.slot();
        assertThat(bulkhead.limit()).isEqualTo(50);
    }

    @Test
    void each_answer_after_a_crash_doubles_the_limit() throws Exception {
        bulkhead.restartOneByOne();
        bulkhead.connected();
        List<Integer> limits = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            limits.add(bulkhead.limit());
            var slot = callers.inside("a", 1);
            slot.answered();
            slot.close();
        }
        assertThat(limits).containsExactly(1, 2, 4, 8, 16, 32, 50);
    }

    @Test
    void a_connection_without_a_crash_before_it_changes_no_limit() {
        bulkhead.restartSlowly();
        time.advance(STEP);
        bulkhead.connected();
        assertThat(bulkhead.limit()).isEqualTo(8);
        time.advance(STEP);
        assertThat(bulkhead.limit()).isEqualTo(16);
    }
}
