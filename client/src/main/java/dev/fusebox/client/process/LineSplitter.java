package dev.fusebox.client.process;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Splitter of a byte stream into lines. Not thread-safe; nothing blocks.
///
/// LF ends a line, one CR before it belongs to the end, a CR elsewhere is a byte like any other; empty lines are
/// omitted. A line over the limit, or one without enough memory, is skipped; only its beginning and its end are
/// kept.
///
/// ```
/// COLLECTING -- longer than the limit --> SKIPPING
///      ^------------- line end --------------'
/// ```
public final class LineSplitter {
    /// Receiver of the lines.
    public interface Sink {
        void line(byte[] buffer, int from, int to);

        void tooLong(OversizedLine line);
    }

    private static final byte[] NOTHING = {};

    /// Growth of a long line: a megabyte needs few pieces, and little of the last one is unused.
    private static final int PIECE_BYTES = 64 << 10;

    private final int limit;
    private final Sink sink;
    /// Complete pieces of the current line. They are not copied before the line is complete, since results of
    /// several megabytes pass through here.
    private final List<byte[]> full = new ArrayList<>();
    private byte[] last = NOTHING;
    private int lastLength;
    private int length;
    private @Nullable OversizedLine skipped;

    public LineSplitter(int limit, Sink sink) {
        this.limit = limit;
        this.sink = sink;
    }

    /// How much of a line over the limit has been skipped; 0 if there is no such line.
    long skipped() {
        return skipped == null ? 0 : skipped.bytes();
    }

    public void accept(byte[] bytes, int count) {
        int from = 0;
        for (int at = 0; at < count; at++) {
            if (bytes[at] == '\n') {
                end(bytes, from, at);
                from = at + 1;
            }
        }
        keep(bytes, from, count);
    }

    /// Ends the stream; an incomplete line is discarded.
    void finish() {
        if (skipped != null) {
            sink.tooLong(skipped);
        }
        forget();
    }

    private void end(byte[] bytes, int from, int to) {
        if (skipped == null && length == 0 && to - from <= limit) {
            deliver(bytes, from, to);
            return;
        }
        keep(bytes, from, to);
        byte[] line = skipped == null ? joined() : null;
        if (line != null) {
            deliver(line, 0, length);
        } else if (skipped != null) {
            skipped.complete();
            sink.tooLong(skipped);
        }
        forget();
    }

    private void deliver(byte[] buffer, int from, int to) {
        int end = to > from && buffer[to - 1] == '\r' ? to - 1 : to;
        if (end > from) {
            sink.line(buffer, from, end);
        }
    }

    private void keep(byte[] bytes, int from, int to) {
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

    private void skip(byte[] bytes, int from, int to) {
        OversizedLine line = skipped;
        if (line == null) {
            line = new OversizedLine();
            for (byte[] piece : full) {
                line.add(piece, 0, piece.length);
            }
            line.add(last, 0, lastLength);
            skipped = line;
            drop();
        }
        line.add(bytes, from, to);
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

    /// Null if there is no memory for the line in one piece; it is then skipped.
    private byte @Nullable [] joined() {
        byte[] line;
        try {
            line = new byte[length];
        } catch (OutOfMemoryError tooMuch) {
            skip(NOTHING, 0, 0);
            return null;
        }
        int at = 0;
        for (byte[] piece : full) {
            System.arraycopy(piece, 0, line, at, piece.length);
            at += piece.length;
        }
        System.arraycopy(last, 0, line, at, lastLength);
        return line;
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
