package dev.fusebox.client.framing;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Assembler of messages from the parts in which they arrive. Not thread-safe; nothing blocks.
///
/// A message over the limit, or one without enough memory, is skipped; only its beginning and its end are kept.
///
/// ```
/// COLLECTING -- longer than the limit --> SKIPPING
///      ^------------ end of message -----------'
/// ```
public final class MessageAssembler {
    /// Receiver of the messages.
    public interface Sink {
        void message(byte[] buffer, int from, int to);

        void tooLong(OversizedMessage message);
    }

    private static final byte[] NOTHING = {};

    /// Growth of a long message: a megabyte needs few pieces, and little of the last one is unused.
    private static final int PIECE_BYTES = 64 << 10;

    private final int limit;
    private final Sink sink;
    /// Complete pieces of the current message. They are not copied before it is complete, since results of several
    /// megabytes pass through here.
    private final List<byte[]> full = new ArrayList<>();
    private byte[] last = NOTHING;
    private int lastLength;
    private int length;
    private @Nullable OversizedMessage skipped;

    public MessageAssembler(int limit, Sink sink) {
        this.limit = limit;
        this.sink = sink;
    }

    /// How much of a message over the limit has been skipped, at least 1; 0 if there is no such message.
    public long skipped() {
        return skipped == null ? 0 : Math.max(1, skipped.bytes());
    }

    /// Ends the input; an incomplete message is discarded.
    public void finish() {
        if (skipped != null) {
            sink.tooLong(skipped);
        }
        forget();
    }

    /// Adds the last part of a message, and delivers the message.
    public void end(byte[] bytes, int from, int to) {
        if (skipped == null && length == 0 && to - from <= limit) {
            sink.message(bytes, from, to);
            return;
        }
        add(bytes, from, to);
        byte[] message = skipped == null ? joined() : null;
        if (message != null) {
            sink.message(message, 0, length);
        } else if (skipped != null) {
            skipped.complete();
            sink.tooLong(skipped);
        }
        forget();
    }

    /// Adds a part of a message.
    public void add(byte[] bytes, int from, int to) {
        int count = to - from;
        if (skipped != null || (long) length + count > limit) {
            skip(bytes, from, to);
            return;
        }
        int fits = Math.min(count, last.length - lastLength);
        System.arraycopy(bytes, from, last, lastLength, fits);
        lastLength += fits;
        if (fits < count && !begins(bytes, from + fits, to)) {
            skip(bytes, from + fits, to);
            return;
        }
        length += count;
    }

    /// Announces a part, so that a message over the limit is skipped before it takes memory.
    public void expect(long count) {
        if (skipped == null && count > limit - length) {
            skip(NOTHING, 0, 0);
        }
    }

    private void skip(byte[] bytes, int from, int to) {
        OversizedMessage message = skipped;
        if (message == null) {
            message = new OversizedMessage();
            for (byte[] piece : full) {
                message.add(piece, 0, piece.length);
            }
            message.add(last, 0, lastLength);
            skipped = message;
            drop();
        }
        message.add(bytes, from, to);
    }

    /// False if there is no memory for another piece.
    private boolean begins(byte[] bytes, int from, int to) {
        byte[] next;
        try {
            next = new byte[Math.max(to - from, Math.min(length, PIECE_BYTES))];
            if (lastLength > 0) {
                full.add(last);
            }
        } catch (OutOfMemoryError tooMuch) {
            return false;
        }
        last = next;
        lastLength = to - from;
        System.arraycopy(bytes, from, last, 0, lastLength);
        return true;
    }

    /// Null if there is no memory for the message in one piece; it is then skipped.
    private byte @Nullable [] joined() {
        byte[] message;
        try {
            message = new byte[length];
        } catch (OutOfMemoryError tooMuch) {
            skip(NOTHING, 0, 0);
            return null;
        }
        int at = 0;
        for (byte[] piece : full) {
            System.arraycopy(piece, 0, message, at, piece.length);
            at += piece.length;
        }
        System.arraycopy(last, 0, message, at, lastLength);
        return message;
    }

    private void drop() {
        full.clear();
        last = NOTHING;
        lastLength = 0;
        length = 0;
    }

    private void forget() {
        drop();
        skipped = null;
    }
}
