package dev.fusebox.testkit.server;

import java.time.Duration;

/// A way out to the client: standard output, one stream of events, the body of one answer. Thread-safe; writing blocks
/// while the client does not read. Once the client is gone, everything goes nowhere.
interface Outbox {
    /// The frame as it stands on this wire, with whatever ends it.
    Pieces encode(Pieces frame);

    /// Writes bytes as they are, one piece at a time, and nobody else's bytes between them.
    void write(Pieces bytes, Duration apart);

    /// Writes bytes as they are, and nothing after them, ever.
    void writeLast(Pieces bytes);

    /// Writes one message; more follow.
    default void send(byte[] frame) {
        write(encode(Pieces.of(frame)), Duration.ZERO);
    }

    /// Writes the message that this way out was opened for.
    default void answer(byte[] frame) {
        send(frame);
        finish();
    }

    /// Writes the same; `status` is for a way out that has one and has not told it yet.
    default void answer(byte[] frame, int status) {
        answer(frame);
    }

    /// The answer will take time: the client shall see by now that it is on its way.
    default void begin() {}

    /// The answer is written, in whatever form, or will never be.
    default void finish() {}

    /// Takes the line away from the client before the answer, which is then to be fetched on another.
    default void drop() {}
}
