package dev.fusebox.client.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Patience;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Calls of several clients, each on its own thread, at one turnstile.
final class Visitors {
    private static final Duration LONG = Duration.ofHours(1);

    private final ManualTime time;
    private final Turnstile turnstile;
    private final BlockingQueue<Comer> comers = new LinkedBlockingQueue<>();
    private int visitors;

    Visitors(ManualTime time, Turnstile turnstile) {
        this.time = time;
        this.turnstile = turnstile;
    }

    /// A call that waits, and what came of it.
    record Visitor(String name, Thread thread, FutureTask<Turnstile.Entry> task) {
        Turnstile.Entry entry() throws Exception {
            return task.get(20, TimeUnit.SECONDS);
        }

        Turnstile.Place place() throws Exception {
            assertThat(entry()).as(name).isInstanceOf(Turnstile.Place.class);
            return (Turnstile.Place) entry();
        }

        Turnstile.Full full() throws Exception {
            assertThat(entry()).as(name).isInstanceOf(Turnstile.Full.class);
            return (Turnstile.Full) entry();
        }
    }

    /// Somebody who waited and was let in.
    private record Comer(String name, Turnstile.Place place) {}

    Patience patience(Duration work) {
        return new Patience(work, Duration.ofMinutes(5), time.world().ticker());
    }

    /// A call that is let in at once.
    Turnstile.Place inside(Object client, long bytes) throws InterruptedException {
        Turnstile.Entry entry = turnstile.enter(client, bytes, patience(LONG));
        assertThat(entry).isInstanceOf(Turnstile.Place.class);
        return (Turnstile.Place) entry;
    }

    /// A call that may not even wait.
    Turnstile.Full refused(Object client, long bytes) throws InterruptedException {
        Turnstile.Entry entry = turnstile.enter(client, bytes, patience(LONG));
        assertThat(entry).isInstanceOf(Turnstile.Full.class);
        return (Turnstile.Full) entry;
    }

    Visitor waiting(Object client, long bytes) throws InterruptedException {
        return waiting(client, bytes, patience(LONG));
    }

    /// A call that is known to wait.
    Visitor waiting(Object client, long bytes, Patience patience) throws InterruptedException {
        int before = turnstile.waiting();
        // While a server gets its calls slowly, the turnstile waits as well.
        int pending = Math.max(before, time.pending());
        String name = client + " " + visitors++;
        var task = new FutureTask<>(() -> enter(name, client, bytes, patience));
        var visitor = new Visitor(name, Thread.startVirtualThread(task), task);
        time.awaitPending(pending + 1);
        assertThat(turnstile.waiting()).isEqualTo(before + 1);
        return visitor;
    }

    private Turnstile.Entry enter(String name, Object client, long bytes, Patience patience)
            throws InterruptedException {
        Turnstile.Entry entry = turnstile.enter(client, bytes, patience);
        if (entry instanceof Turnstile.Place place) {
            comers.add(new Comer(name, place));
        }
        return entry;
    }

    /// Ends what is inside, then everybody whom that lets in, one by one; their names in the order of their coming in.
    List<String> leaveOneByOne(Turnstile.Place first) throws InterruptedException {
        List<String> order = new ArrayList<>();
        first.close();
        while (turnstile.inside() > 0) {
            Comer next = comers.poll(20, TimeUnit.SECONDS);
            assertThat(next).as("who comes after " + order).isNotNull();
            order.add(next.name());
            next.place().close();
        }
        return order;
    }
}
