package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads that wait by a hand-moved clock. */
@Timeout(60)
class BulkheadTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final ManualTime time = new ManualTime();
    private final Bulkhead bulkhead = new Bulkhead(1, 2, time.surroundings());
    private final List<Caller> callers = new ArrayList<>();

    /** A thread that enters and tells what it got. */
    private static final class Caller {
        private final FutureTask<Bulkhead.Entry> task;
        private final Thread thread;

        Caller(Callable<Bulkhead.Entry> work) {
            task = new FutureTask<>(work);
            thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
        }

        Bulkhead.Entry entry() throws Exception {
            return task.get(20, TimeUnit.SECONDS);
        }
    }

    /** A caller that is known to wait. */
    private Caller waiting(Duration atMost) throws InterruptedException {
        Caller caller = new Caller(() -> bulkhead.enter(atMost));
        callers.add(caller);
        time.awaitParkings(1);
        return caller;
    }

    private static Bulkhead.Slot slot(Bulkhead.Entry entry) {
        assertThat(entry).isInstanceOf(Bulkhead.Slot.class);
        return (Bulkhead.Slot) entry;
    }

    private Bulkhead.Slot takeSlot() {
        return slot(bulkhead.tryEnter());
    }

    @AfterEach
    void nobody_waits_any_more() throws InterruptedException {
        for (Caller caller : callers) {
            caller.thread.join(20_000);
            assertThat(caller.thread.isAlive()).isFalse();
        }
        assertThat(bulkhead.waiting()).isZero();
    }

    @Test
    void number_of_callers_inside_is_limited_and_others_are_rejected() {
        Bulkhead wide = new Bulkhead(2, 0, time.surroundings());
        Bulkhead.Slot first = slot(wide.tryEnter());
        slot(wide.tryEnter());
        assertThat(wide.inside()).isEqualTo(2);
        assertThat(wide.tryEnter()).isEqualTo(new Bulkhead.Full(Bulkhead.Full.Why.DID_NOT_WAIT, 2, 0));
        first.close();
        slot(wide.tryEnter());
    }

    @Test
    void a_free_slot_is_had_without_waiting() throws Exception {
        slot(bulkhead.enter(LONG)).close();
        assertThat(bulkhead.inside()).isZero();
    }

    @Test
    void closing_a_slot_twice_frees_it_once() {
        Bulkhead.Slot first = takeSlot();
        first.close();
        Bulkhead.Slot second = takeSlot();
        first.close();
        assertThat(bulkhead.inside()).isEqualTo(1);
        second.close();
        assertThat(bulkhead.inside()).isZero();
    }

    @Test
    void freed_slot_goes_to_the_caller_that_waited_longest() throws Exception {
        Bulkhead.Slot inside = takeSlot();
        Caller first = waiting(LONG);
        Caller second = waiting(LONG);
        inside.close();
        Bulkhead.Slot next = slot(first.entry());
        assertThat(second.task.isDone()).isFalse();
        assertThat(bulkhead.tryEnter()).isEqualTo(new Bulkhead.Full(Bulkhead.Full.Why.DID_NOT_WAIT, 1, 1));
        next.close();
        slot(second.entry()).close();
        assertThat(bulkhead.inside()).isZero();
    }

    @Test
    void at_most_so_many_wait() throws Exception {
        Bulkhead.Slot inside = takeSlot();
        Caller first = waiting(LONG);
        Caller second = waiting(LONG);
        assertThat(bulkhead.enter(LONG)).isEqualTo(new Bulkhead.Full(Bulkhead.Full.Why.QUEUE_FULL, 1, 2));
        inside.close();
        slot(first.entry()).close();
        slot(second.entry()).close();
    }

    @Test
    void waiting_ends_at_exactly_the_time_asked_for() throws Exception {
        takeSlot();
        Caller caller = waiting(Duration.ofSeconds(10));
        time.advance(Duration.ofSeconds(10).minusNanos(1));
        LockSupport.unpark(caller.thread);
        time.awaitParkings(1);
        assertThat(bulkhead.waiting()).isEqualTo(1);
        time.advanceNanos(1);
        assertThat(caller.entry()).isEqualTo(new Bulkhead.Full(Bulkhead.Full.Why.TIME_OVER, 1, 0));
    }

    @Test
    void who_is_woken_for_no_reason_waits_on_for_what_is_left() throws Exception {
        takeSlot();
        Caller caller = waiting(Duration.ofSeconds(10));
        time.advance(Duration.ofSeconds(4));
        LockSupport.unpark(caller.thread);
        time.awaitParkings(1);
        time.advance(Duration.ofSeconds(6));
        assertThat(caller.entry()).isInstanceOf(Bulkhead.Full.class);
    }

    @Test
    void who_gives_up_makes_room_in_the_queue_and_is_not_given_a_slot() throws Exception {
        Bulkhead.Slot inside = takeSlot();
        Caller impatient = waiting(Duration.ofSeconds(1));
        Caller patient = waiting(LONG);
        time.advance(Duration.ofSeconds(1));
        assertThat(impatient.entry()).isInstanceOf(Bulkhead.Full.class);
        inside.close();
        slot(patient.entry()).close();
    }

    @Test
    void an_interruption_ends_the_waiting() throws Exception {
        Bulkhead.Slot inside = takeSlot();
        Caller caller = waiting(LONG);
        caller.thread.interrupt();
        assertThatThrownBy(caller::entry)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class)
                .hasStackTraceContaining("interrupted while waiting for a free slot");
        inside.close();
        takeSlot();
    }

    @Test
    void a_slot_granted_in_the_last_moment_is_taken() throws Exception {
        Bulkhead[] late = new Bulkhead[1];
        Bulkhead.Slot[] inside = new Bulkhead.Slot[1];
        Parker slow = (blocker, nanos) -> {
            time.advanceNanos(nanos);
            inside[0].close();
        };
        late[0] = new Bulkhead(1, 1, with(slow));
        inside[0] = slot(late[0].tryEnter());
        slot(late[0].enter(LONG)).close();
        assertThat(late[0].inside()).isZero();
    }

    @Test
    void a_slot_granted_to_an_interrupted_caller_goes_to_the_next() {
        Bulkhead[] late = new Bulkhead[1];
        Bulkhead.Slot[] inside = new Bulkhead.Slot[1];
        Parker interrupting = (blocker, nanos) -> {
            inside[0].close();
            Thread.currentThread().interrupt();
        };
        late[0] = new Bulkhead(1, 1, with(interrupting));
        inside[0] = slot(late[0].tryEnter());
        assertThatThrownBy(() -> late[0].enter(LONG)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(late[0].inside()).isZero();
        slot(late[0].tryEnter());
    }

    @Test
    void a_parker_that_breaks_loses_neither_slot_nor_place() {
        Bulkhead[] late = new Bulkhead[1];
        Bulkhead.Slot[] inside = new Bulkhead.Slot[1];
        Parker breaking = (blocker, nanos) -> {
            inside[0].close();
            throw new IllegalStateException("broken");
        };
        late[0] = new Bulkhead(1, 1, with(breaking));
        inside[0] = slot(late[0].tryEnter());
        assertThatThrownBy(() -> late[0].enter(LONG)).hasMessage("broken");
        assertThat(late[0].inside()).isZero();
        assertThat(late[0].waiting()).isZero();
    }

    private Surroundings with(Parker parker) {
        Surroundings usual = time.surroundings();
        return new Surroundings(usual.ticker(), usual.wall(), usual.random(), parker);
    }
}
