package dev.fusebox.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Calls of several clients, each on its own thread, at one bulkhead.
final class ConcurrentCallers {
    private static final Duration LONG = Duration.ofHours(1);

    private final ManualTime time;
    private final FairBulkhead bulkhead;
    private final BlockingQueue<Comer> comers = new LinkedBlockingQueue<>();
    private int visitors;

    ConcurrentCallers(ManualTime time, FairBulkhead bulkhead) {
        this.time = time;
        this.bulkhead = bulkhead;
    }

    /// A call that waits, and what came of it.
    record Visitor(String name, Thread thread, FutureTask<FairBulkhead.Entry> task) {
        FairBulkhead.Entry entry() throws Exception {
            return task.get(20, TimeUnit.SECONDS);
        }

        FairBulkhead.Slot slot() throws Exception {
            assertThat(entry()).as(name).isInstanceOf(FairBulkhead.Slot.class);
            return (FairBulkhead.Slot) entry();
        }

        FairBulkhead.Full full() throws Exception {
            assertThat(entry()).as(name).isInstanceOf(FairBulkhead.Full.class);
            return (FairBulkhead.Full) entry();
        }
    }

    /// Somebody who waited and was let in.
    private record Comer(String name, FairBulkhead.Slot slot) {}

    Deadline deadline(Duration work) {
        return new Deadline(work, Duration.ofMinutes(5), time.platform().ticker());
    }

    /// A call that is let in at once.
    FairBulkhead.Slot inside(Object client, long bytes) throws InterruptedException {
        FairBulkhead.Entry entry = bulkhead.enter(client, bytes, deadline(LONG));
        assertThat(entry).isInstanceOf(FairBulkhead.Slot.class);
        return (FairBulkhead.Slot) entry;
    }

    /// A call that may not even wait.
    FairBulkhead.Full refused(Object client, long bytes) throws InterruptedException {
        FairBulkhead.Entry entry = bulkhead.enter(client, bytes, deadline(LONG));
        assertThat(entry).isInstanceOf(FairBulkhead.Full.class);
        return (FairBulkhead.Full) entry;
    }

    Visitor waiting(Object client, long bytes) throws InterruptedException {
        return waiting(client, bytes, deadline(LONG));
    }

    /// A call that is known to wait.
    Visitor waiting(Object client, long bytes, Deadline deadline) throws InterruptedException {
        int before = bulkhead.waiting();
        // While a server gets its calls slowly, the turnstile waits as well.
        int pending = Math.max(before, time.pending());
        String name = client + " " + visitors++;
        var task = new FutureTask<>(() -> enter(name, client, bytes, deadline));
        var visitor = new Visitor(name, Thread.startVirtualThread(task), task);
        time.awaitPending(pending + 1);
        assertThat(bulkhead.waiting()).isEqualTo(before + 1);
        return visitor;
    }

    private FairBulkhead.Entry enter(String name, Object client, long bytes, Deadline deadline)
            throws InterruptedException {
        FairBulkhead.Entry entry = bulkhead.enter(client, bytes, deadline);
        if (entry instanceof FairBulkhead.Slot slot) {
            comers.add(new Comer(name, slot));
        }
        return entry;
    }

    /// Ends what is inside, then everybody whom that lets in, one by one; their names in the order of their coming
    /// in.
    List<String> leaveOneByOne(FairBulkhead.Slot first) throws InterruptedException {
        List<String> order = new ArrayList<>();
        first.close();
        while (bulkhead.inFlight() > 0) {
            Comer next = comers.poll(20, TimeUnit.SECONDS);
            assertThat(next).as("who comes after " + order).isNotNull();
            order.add(next.name());
            next.slot().close();
        }
        return order;
    }
}
