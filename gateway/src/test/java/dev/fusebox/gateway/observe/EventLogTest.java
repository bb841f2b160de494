package dev.fusebox.gateway.observe;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventLogTest {
    private final EventLog eventLog = new EventLog(() -> Instant.ofEpochSecond(5));
    private final List<Long> heard = new CopyOnWriteArrayList<>();

    private static Event event(String tool) {
        return new ToolExecuted("server", tool, 0, null);
    }

    private void listen() {
        eventLog.listen(event -> true, told -> heard.add(told.number()));
    }

    @Test
    void all_listeners_receive_all_events_in_one_order() throws InterruptedException {
        listen();
        List<Thread> tellers = IntStream.range(0, 8)
                .mapToObj(each -> Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < 500; i++) {
                        eventLog.publish(event("work"));
                    }
                }))
                .toList();
        for (Thread teller : tellers) {
            teller.join();
        }
        eventually("4000 events have arrived", () -> assertThat(heard).hasSize(4_000));
        assertThat(heard).isSorted().doesNotHaveDuplicates();
        assertThat(heard.getFirst()).isEqualTo(5_000_000L);
        assertThat(heard.getLast()).isEqualTo(5_003_999L);
    }

    @Test
    void publisher_never_blocks_and_overwritten_events_are_counted() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        AtomicLong missed = new AtomicLong();
        eventLog.listen(event -> true, new EventLog.Listener() {
            @Override
            public void accept(SequencedEvent told) {
                awaitQuietly(go);
                heard.add(told.number());
            }

            @Override
            public void missed(long count) {
                missed.addAndGet(count);
            }
        });
        for (int i = 0; i < 20_000; i++) {
            eventLog.publish(event("work"));
        }
        go.countDown();
        eventually(
                "all 20000 events are heard or counted as missed",
                () -> assertThat(heard.size() + missed.get()).isEqualTo(20_000));
        assertThat(missed.get()).isPositive();
    }

    @Test
    void unwanted_events_do_not_count_as_missed() {
        AtomicLong missed = new AtomicLong();
        eventLog.listen(event -> "other".equals(event.server()), new EventLog.Listener() {
            @Override
            public void accept(SequencedEvent told) {
                heard.add(told.number());
            }

            @Override
            public void missed(long count) {
                missed.addAndGet(count);
            }
        });
        for (int i = 0; i < 20_000; i++) {
            eventLog.publish(event("work"));
        }
        eventLog.publish(new ToolExecuted("other", "work", 0, null));
        eventually("an event has arrived", () -> assertThat(heard).isNotEmpty());
        assertThat(heard).containsExactly(5_020_000L);
        assertThat(missed.get()).isZero();
    }

    @Test
    void listener_that_throws_does_not_affect_others() {
        eventLog.listen(event -> true, told -> {
            throw new IllegalStateException("on purpose");
        });
        listen();
        eventLog.publish(event("work"));
        eventually("one event has arrived", () -> assertThat(heard).hasSize(1));
        eventLog.publish(event("work"));
        eventually("two events have arrived", () -> assertThat(heard).hasSize(2));
    }

    @Test
    void listener_that_fails_on_one_event_receives_the_next() {
        for (int i = 0; i < 10; i++) {
            eventLog.publish(event("work"));
        }
        eventLog.listenAfter(0, event -> true, told -> {
            heard.add(told.number());
            throw new IllegalStateException("on purpose");
        });
        eventually("ten events have arrived", () -> assertThat(heard).hasSize(10));
    }

    @Test
    void listener_that_fails_on_missed_events_does_not_affect_others() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch fails = new CountDownLatch(1);
        eventLog.listen(event -> true, new EventLog.Listener() {
            @Override
            public void accept(SequencedEvent told) {
                awaitQuietly(go);
            }

            @Override
            public void missed(long count) {
                fails.countDown();
                throw new StackOverflowError("on purpose");
            }
        });
        for (int i = 0; i < 20_000; i++) {
            eventLog.publish(event("work"));
        }
        go.countDown();
        assertThat(fails.await(30, TimeUnit.SECONDS)).isTrue();
        listen();
        eventLog.publish(event("late"));
        eventually("an event has arrived", () -> assertThat(heard).isNotEmpty());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void closed_registration_receives_no_events() {
        EventLog.Registration listening = eventLog.listen(event -> true, told -> heard.add(told.number()));
        listening.close();
        listening.close();
        listen();
        eventLog.publish(event("work"));
        eventually("an event has arrived", () -> assertThat(heard).isNotEmpty());
        assertThat(heard).hasSize(1);
    }

    @Test
    void number_of_an_earlier_gateway_replays_all_kept_events() {
        eventLog.publish(event("one"));
        eventLog.publish(event("two"));
        eventLog.listenAfter(17, event -> true, told -> heard.add(told.number()));
        eventually("two events have arrived", () -> assertThat(heard).hasSize(2));
        eventLog.listenAfter(9_000_000_000L, event -> true, told -> heard.add(told.number()));
        eventually("four events have arrived", () -> assertThat(heard).hasSize(4));
        assertThat(heard).containsExactly(5_000_000L, 5_000_001L, 5_000_000L, 5_000_001L);
    }
}
