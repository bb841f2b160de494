package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A connection to one server. Thread-safe; only [#call] and [#awaitGone] block.
public interface Connection extends ReplyHandler {
    /// Sends the request and waits for its answer, at most until the deadline of the call.
    Outcome call(Call call);

    /// Sends a notification; delivery is not confirmed.
    @Override
    void sendOneWay(byte[] notification);

    /// Sends the client's answer to a question of the server.
    @Override
    void answer(JsonView answer, RequestId question);

    /// Whether calls can still be made.
    boolean isAlive();

    /// When the server last sent anything, by the monotonic clock.
    long lastReceivedAt();

    /// The deadlines of the calls that were sent and are not answered.
    default List<Deadline> inFlight() {
        return List.of();
    }

    /// The process of the connection; null if it has none of its own.
    default @Nullable Long process() {
        return null;
    }

    /// The reason for which the gateway has closed it.
    enum Ending {
        /// It is not closed, or for another reason.
        OTHER,
        /// It was idle for too long.
        IDLE,
        /// It was opened for a single purpose, and closed when that was done.
        BRIEF
    }

    /// The reason for which the gateway has closed it, as far as that is known.
    default Ending ending() {
        return Ending.OTHER;
    }

    /// Keeps it from being closed as idle, until [#letGo]; false if it is ending.
    default boolean hold() {
        return true;
    }

    /// Ends a [#hold].
    default void letGo() {
        // Most connections are not closed as idle.
    }

    /// Notes that the handshake, if there is one, is complete: from now on calls may come. Called once; does
    /// not block.
    default void begun() {
        // Most connections have nothing to note.
    }

    /// Waits until the process tree or socket behind a closed or lost connection is gone; false if that takes
    /// longer.
    default boolean awaitGone(Duration limit) throws InterruptedException {
        return true;
    }

    /// The number of server messages that matched no request.
    long dropped();

    /// Closes the connection and what is behind it. Waiting calls fail. Idempotent.
    void close();
}
