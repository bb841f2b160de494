package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One conversation with one server. Thread-safe; only [#call] and [#awaitGone] block.
public interface Connection extends ReplyHandler {
    /// Sends the request and waits for its answer, for as long as the caller has patience.
    Outcome call(Call call);

    /// Sends a notification; whether it arrives, nobody learns.
    @Override
    void tell(byte[] notification);

    /// Sends the client's answer to a question of the server.
    @Override
    void answer(JsonView answer, RequestId question);

    /// Whether calls can still be made.
    boolean isAlive();

    /// When the server last sent anything, by the monotonic clock.
    long heardAt();

    /// The calls that were sent and are not answered, by their callers' patience.
    default List<Deadline> inFlight() {
        return List.of();
    }

    /// The process behind it; null if it has none of its own.
    default @Nullable Long process() {
        return null;
    }

    /// Why the gateway has ended it.
    enum Ending {
        /// It has not, or for another reason.
        OTHER,
        /// It was unused for too long.
        IDLE,
        /// It was to end as soon as it had nothing to do.
        BRIEF
    }

    /// Why the gateway has ended it, as far as that is known.
    default Ending ending() {
        return Ending.OTHER;
    }

    /// Hands have been shaken, where that is done: from now on calls may come. Comes once, and does not block.
    default void begun() {
        // Most have nothing to note.
    }

    /// Waits until nothing is left of what is behind it, once it is closed or lost; false if that takes longer.
    default boolean awaitGone(Duration limit) throws InterruptedException {
        return true;
    }

    /// Messages of the server that were for nobody.
    long dropped();

    /// Ends the conversation and whatever is behind it. Calls that wait are told. Twice is the same as once.
    void close();
}
