package dev.fusebox.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.resilience.FairBulkhead.Full.RejectionReason;
import dev.fusebox.client.resilience.FairBulkhead.Limits;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FairBulkheadTest {
    private static final long MUCH = 1_000_000;

    private final ManualTime time = new ManualTime();

    private FairBulkhead bulkhead(int atOnce, int mayWait, long bytes) {
        return new FairBulkhead(new Limits(atOnce, mayWait, bytes), time.platform());
    }

    @Test
    void call_within_the_limits_is_admitted_without_waiting() throws Exception {
        var bulkhead = bulkhead(2, 0, MUCH);
        var callers = new ConcurrentCallers(time, bulkhead);
        var first = callers.inside("a", 10);
        callers.inside("b", 10);
        assertThat(callers.refused("c", 10)).isEqualTo(new FairBulkhead.Full(RejectionReason.QUEUE_FULL, 2, 0));
        first.close();
        callers.inside("c", 10);
        assertThat(bulkhead.inFlight()).isEqualTo(2);
    }

    @Test
    void closing_a_place_twice_frees_it_once() throws Exception {
        var bulkhead = bulkhead(1, 0, MUCH);
        var callers = new ConcurrentCallers(time, bulkhead);
        var first = callers.inside("a", 10);
        first.close();
        var second = callers.inside("a", 10);
        first.close();
        assertThat(bulkhead.inFlight()).isEqualTo(1);
        second.close();
        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    void calls_in_a_former_bulkhead_are_counted_until_they_end() throws Exception {
        FairBulkhead first = bulkhead(1, 0, MUCH);
        FairBulkhead.Slot slot = new ConcurrentCallers(time, first).inside("a", 10);
        FairBulkhead second = new FairBulkhead(new Limits(1, 0, MUCH), time.platform(), first);
        FairBulkhead third = new FairBulkhead(new Limits(1, 0, MUCH), time.platform(), second);
        assertThat(third.inFlight()).isEqualTo(1);
        // Nobody was ever in the second one: it is not kept, and who comes there now is not told of.
        new ConcurrentCallers(time, second).inside("late", 10);
        assertThat(third.inFlight()).isEqualTo(1);
        FairBulkhead.Slot other = new ConcurrentCallers(time, third).inside("b", 10);
        assertThat(third.inFlight()).isEqualTo(2);
        slot.close();
        assertThat(third.inFlight()).isEqualTo(1);
        other.close();
        assertThat(third.inFlight()).isZero();
    }

    @Test
    void calls_of_one_client_keep_their_order() throws Exception {
        var bulkhead = bulkhead(1, 3, MUCH);
        var callers = new ConcurrentCallers(time, bulkhead);
        var inside = callers.inside("a", 1);
        callers.waiting("a", 1);
        callers.waiting("a", 1);
        callers.waiting("a", 1);
        assertThat(callers.refused("a", 1)).isEqualTo(new FairBulkhead.Full(RejectionReason.QUEUE_FULL, 1, 3));
        assertThat(callers.leaveOneByOne(inside)).containsExactly("a 0", "a 1", "a 2");
    }

    @Test
    void clients_take_turns() throws Exception {
        var bulkhead = bulkhead(1, 9, MUCH);
        var callers = new ConcurrentCallers(time, bulkhead);
        var inside = callers.inside("greedy", 1);
        for (String client : List.of("greedy", "greedy", "greedy", "b", "c", "b")) {
            callers.waiting(client, 1);
        }
        assertThat(callers.leaveOneByOne(inside))
                .containsExactly("greedy 0", "b 3", "c 4", "greedy 1", "b 5", "greedy 2");
    }

    @Test
    void nine_hundred_calls_of_a_greedy_client_delay_a_polite_one_by_one_call() throws Exception {
        var bulkhead = bulkhead(1, 1_000, MUCH);
        var callers = new ConcurrentCallers(time, bulkhead);
        var inside = callers.inside("greedy", 1);
        var first = callers.waiting("greedy", 1);
        for (int i = 1; i < 900; i++) {
            callers.waiting("greedy", 1);
        }
        var polite = callers.waiting("polite", 1);
        inside.close();
        first.slot().close();
        polite.slot().close();
        assertThat(bulkhead.waiting()).isEqualTo(899 - 1);
    }

    @Test
    void a_call_that_has_left_the_queue_takes_nobodys_turn() throws Exception {
        var bulkhead = bulkhead(1, 9, MUCH);
        var callers = new ConcurrentCallers(time, bulkhead);
        var inside = callers.inside("x", 1);
        Deadline impatient = callers.deadline(Duration.ofHours(1));
        callers.waiting("a", 1);
        var leaving = callers.waiting("b", 1, impatient);
        callers.waiting("a", 1);
        callers.waiting("c", 1);
        impatient.giveUp();
        assertThat(leaving.full().rejectionReason()).isEqualTo(RejectionReason.GIVEN_UP);
        assertThat(callers.leaveOneByOne(inside).subList(0, 3)).containsExactly("a 0", "c 3", "a 2");
    }

    @Test
    void bytes_are_limited_as_well_as_calls() throws Exception {
        var bulkhead = bulkhead(10, 10, 100);
        var callers = new ConcurrentCallers(time, bulkhead);
        var first = callers.inside("a", 60);
        callers.inside("b", 40);
        var waiting = callers.waiting("c", 60);
        first.close();
        waiting.slot();
        assertThat(bulkhead.inFlight()).isEqualTo(2);
    }

    @Test
    void call_larger_than_the_limit_is_admitted_alone() throws Exception {
        var bulkhead = bulkhead(10, 10, 100);
        var callers = new ConcurrentCallers(time, bulkhead);
        var small = callers.inside("a", 0);
        var huge = callers.waiting("b", Long.MAX_VALUE);
        small.close();
        var alone = huge.slot();
        var other = callers.waiting("c", 1);
        assertThat(bulkhead.inFlight()).isEqualTo(1);
        alone.close();
        other.slot();
    }

    @Test
    void a_large_call_keeps_its_turn_before_small_ones_that_would_fit() throws Exception {
        var bulkhead = bulkhead(10, 10, 100);
        var callers = new ConcurrentCallers(time, bulkhead);
        var inside = callers.inside("a", 50);
        var large = callers.waiting("b", 60);
        var small = callers.waiting("c", 1);
        assertThat(bulkhead.inFlight()).isEqualTo(1);
        inside.close();
        large.slot();
        small.slot();
    }

    @Test
    void calls_behind_a_large_call_are_admitted_when_it_gives_up() throws Exception {
        var bulkhead = bulkhead(10, 10, 100);
        var callers = new ConcurrentCallers(time, bulkhead);
        callers.inside("a", 50);
        var impatient = callers.deadline(Duration.ofHours(1));
        var large = callers.waiting("b", 60, impatient);
        var small = callers.waiting("c", 25);
        var other = callers.waiting("d", 15);
        impatient.giveUp();
        assertThat(large.full()).isEqualTo(new FairBulkhead.Full(RejectionReason.GIVEN_UP, 1, 2));
        small.slot();
        other.slot();
        assertThat(bulkhead.inFlight()).isEqualTo(3);
    }

    @Test
    void waiting_calls_are_limited_in_bytes_as_well() throws Exception {
        var bulkhead = bulkhead(1, 10, 100);
        var callers = new ConcurrentCallers(time, bulkhead);
        var inside = callers.inside("a", 1);
        var huge = callers.waiting("b", 1_000);
        assertThat(callers.refused("c", 1)).isEqualTo(new FairBulkhead.Full(RejectionReason.QUEUE_FULL, 1, 1));
        inside.close();
        huge.slot();
        callers.waiting("c", 60);
        callers.waiting("c", 40);
        assertThat(callers.refused("d", 1)).isEqualTo(new FairBulkhead.Full(RejectionReason.QUEUE_FULL, 1, 2));
    }

    @Test
    void waiting_ends_with_the_callers_time() throws Exception {
        var bulkhead = bulkhead(1, 10, MUCH);
        var callers = new ConcurrentCallers(time, bulkhead);
        callers.inside("a", 1);
        var waiting = callers.waiting("b", 1, callers.deadline(Duration.ofSeconds(10)));
        time.advance(Duration.ofSeconds(10).minusNanos(1));
        LockSupport.unpark(waiting.thread());
        assertThat(bulkhead.waiting()).isEqualTo(1);
        time.awaitPending(1);
        time.advance(Duration.ofNanos(1));
        assertThat(waiting.full()).isEqualTo(new FairBulkhead.Full(RejectionReason.TIME_OVER, 1, 0));
    }

    @Test
    void a_caller_whose_time_is_over_already_does_not_wait() throws Exception {
        var bulkhead = bulkhead(1, 10, MUCH);
        var callers = new ConcurrentCallers(time, bulkhead);
        callers.inside("a", 1);
        Deadline over = callers.deadline(Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(2));
        assertThat(bulkhead.enter("b", 1, over)).isEqualTo(new FairBulkhead.Full(RejectionReason.TIME_OVER, 1, 0));
    }

    @Test
    void a_clock_that_stands_still_is_waited_for() throws Exception {
        var bulkhead = bulkhead(1, 10, MUCH);
        var callers = new ConcurrentCallers(time, bulkhead);
        var inside = callers.inside("a", 1);
        Deadline deadline = callers.deadline(Duration.ofSeconds(10));
        var waiting = callers.waiting("b", 1, deadline);
        deadline.stop();
        time.awaitPending(1);
        time.advance(Duration.ofMinutes(4));
        assertThat(bulkhead.waiting()).isEqualTo(1);
        inside.close();
        waiting.slot();
    }

    @Test
    void an_interruption_ends_the_waiting() throws Exception {
        var bulkhead = bulkhead(1, 10, MUCH);
        var callers = new ConcurrentCallers(time, bulkhead);
        var inside = callers.inside("a", 1);
        var waiting = callers.waiting("b", 1);
        waiting.thread().interrupt();
        assertThatThrownBy(waiting::entry)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(bulkhead.waiting()).isZero();
        inside.close();
        callers.inside("c", 1);
    }

    @Test
    void a_place_granted_in_the_last_moment_is_taken() throws Exception {
        List<FairBulkhead.Slot> inside = new ArrayList<>();
        var late = new FairBulkhead(new Limits(1, 1, MUCH), parkingBy(nanos -> {
            time.advance(Duration.ofNanos(nanos));
            inside.getFirst().close();
        }));
        var callers = new ConcurrentCallers(time, late);
        inside.add(callers.inside("a", 1));
        callers.inside("b", 1).close();
        assertThat(late.inFlight()).isZero();
    }

    @Test
    void a_place_granted_to_an_interrupted_caller_goes_to_the_next() throws Exception {
        List<FairBulkhead.Slot> inside = new ArrayList<>();
        var late = new FairBulkhead(new Limits(1, 1, MUCH), parkingBy(nanos -> {
            inside.getFirst().close();
            Thread.currentThread().interrupt();
        }));
        var callers = new ConcurrentCallers(time, late);
        inside.add(callers.inside("a", 1));
        assertThatThrownBy(() -> callers.inside("b", 1)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(late.inFlight()).isZero();
        callers.inside("c", 1);
    }

    @Test
    void a_wait_that_breaks_loses_neither_place_nor_turn() throws Exception {
        List<FairBulkhead.Slot> inside = new ArrayList<>();
        var late = new FairBulkhead(new Limits(1, 1, MUCH), parkingBy(nanos -> {
            inside.getFirst().close();
            throw new IllegalStateException("broken");
        }));
        var callers = new ConcurrentCallers(time, late);
        inside.add(callers.inside("a", 1));
        assertThatThrownBy(() -> callers.inside("b", 1)).hasMessage("broken");
        assertThat(late.inFlight()).isZero();
        assertThat(late.waiting()).isZero();
    }

    @Test
    void limits_that_admit_no_call_are_rejected() {
        assertThatThrownBy(() -> new Limits(0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Limits(1, -1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Limits(1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        var bulkhead = bulkhead(1, 1, 1);
        assertThatThrownBy(() -> bulkhead.enter("a", -1, new ConcurrentCallers(time, bulkhead).deadline(Duration.ZERO)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// How a thread waits.
    private interface Parking {
        void park(long nanos);
    }

    private Platform parkingBy(Parking parking) {
        Platform usual = time.platform();
        Timers timers = new Timers() {
            @Override
            public void park(long nanos) {
                parking.park(nanos);
            }

            @Override
            public Timer schedule(Duration delay, Runnable action) {
                return usual.timers().schedule(delay, action);
            }
        };
        return new Platform(
                usual.ticker(),
                usual.wallClock(),
                usual.random(),
                timers,
                usual.environment(),
                usual.processes(),
                usual.peerUsers());
    }
}
