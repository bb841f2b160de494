package dev.fusebox.client.http;

import dev.fusebox.client.Arrival;
import dev.fusebox.protocol.Message;
import dev.fusebox.world.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Tells the server of a session what nobody waits for: notifications, answers to its questions, and goodbye. Each
/// is a POST on a virtual thread of its own, a bounded number at once. Thread-safe; only [#awaitReady] blocks.
final class Teller {
    private static final Duration TELLING = Duration.ofSeconds(10);
    /// A server that takes longer to hear that the client is ready gets the next request all the same.
    private static final Duration READY = Duration.ofSeconds(5);

    private static final Duration GOODBYE = Duration.ofSeconds(1);
    private static final int MOST_AT_ONCE = 256;

    private final HttpConnection connection;
    private final AtomicInteger telling = new AtomicInteger();
    private volatile @Nullable Arrival<Boolean> ready;

    Teller(HttpConnection connection) {
        this.connection = connection;
    }

    /// The server shall hear that the client is ready before it hears more, and have a way to speak to it.
    void awaitReady(Timekeeper keeper) {
        Arrival<Boolean> known = ready;
        if (known == null || known.now() != null) {
            return;
        }
        Thread self = Thread.currentThread();
        keeper.hold(() -> LockSupport.unpark(self));
        try {
            known.await(connection.remote().world(), READY, keeper::isOver);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void tell(byte[] frame) {
        Message message = Message.read(frame);
        boolean isReady = message instanceof Message.Notification notification
                && notification.method().equals("notifications/initialized");
        Arrival<Boolean> arrival = isReady ? new Arrival<>() : null;
        if (arrival != null) {
            ready = arrival;
        }
        boolean taken = later(() -> {
            if (arrival == null) {
                posted(frame);
            } else {
                begin(frame, arrival);
            }
        });
        if (!taken && arrival != null) {
            arrival.bring(false);
        }
    }

    private void begin(byte[] initialized, Arrival<Boolean> arrival) {
        try {
            if (posted(initialized)) {
                connection.listen();
            }
        } finally {
            arrival.bring(true);
        }
    }

    /// The stateless era has nothing to tell, since what would have been cancelled was cut, and a server that was
    /// left needs to hear no more.
    private boolean later(Runnable work) {
        if (connection.agreed() == null || !connection.isAlive()) {
            return false;
        }
        if (telling.incrementAndGet() > MOST_AT_ONCE) {
            telling.decrementAndGet();
            connection.drop();
            return false;
        }
        return Threads.start(
                "fusebox-http-tell",
                () -> {
                    try {
                        work.run();
                    } finally {
                        telling.decrementAndGet();
                    }
                },
                telling::decrementAndGet);
    }

    private boolean posted(byte[] frame) {
        Remote remote = connection.remote();
        Era.Agreed with = connection.agreed();
        Request request = Request.post(remote.target(), Era.ofSession(with), frame);
        try (Timekeeper keeper = Timekeeper.start(remote.world(), TELLING);
                Reply reply = remote.outbound().send(request, keeper)) {
            skip(reply);
            return count(isTaken(reply, with));
        } catch (Trouble | IOException unheard) {
            return count(false);
        }
    }

    /// What a server says to something that has no answer is not worth waiting for.
    private static void skip(Reply reply) throws IOException {
        if (reply.type().equals(Era.EVENTS)) {
            reply.cut();
        } else {
            reply.first(1 << 10);
        }
    }

    private boolean isTaken(Reply reply, Era.@Nullable Agreed with) {
        if (reply.status() / 100 == 2) {
            return true;
        }
        connection.failure(reply, new byte[0]);
        if (reply.status() == 404 && with != null && with.session() != null) {
            connection.retire(HttpConnection.sessionLost(404));
        }
        return false;
    }

    private boolean count(boolean heard) {
        if (!heard) {
            connection.drop();
        }
        return heard;
    }

    /// Ends the session. Whether it helps, nobody needs to know: servers may refuse (405), and forget sessions by
    /// themselves.
    void sayGoodbye(Era.Agreed with) {
        Remote remote = connection.remote();
        Request request = Request.without("DELETE", remote.target(), Era.ofSession(with));
        remote.outbound().farewell(() -> {
            try (Timekeeper keeper = Timekeeper.start(remote.world(), GOODBYE);
                    Reply reply = remote.outbound().send(request, keeper)) {
                reply.first(1 << 10);
            } catch (Trouble | IOException unheard) {
                connection.drop();
            }
        });
    }
}
