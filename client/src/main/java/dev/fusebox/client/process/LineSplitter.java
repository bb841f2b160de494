package dev.fusebox.client.process;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Cuts a stream of bytes into lines. For one thread.
///
/// LF ends a line, one CR before it belongs to the end, a CR elsewhere is a byte like any other; empty lines are left
/// out. A line over the limit is skipped to its end; only its ends are kept.
///
/// ```
/// COLLECTING -- longer than the limit --> SKIPPING
///      ^------------- line end --------------'
/// ```
public final class LineSplitter {
    /// Where lines go.
    public interface Sink {
        void line(byte[] buffer, int from, int to);

        void tooLong(LongLine line);
    }

    private static final byte[] NOTHING = {};

    private final int limit;
    private final Sink sink;
    private byte[] begun = NOTHING;
    private int length;
    private @Nullable LongLine skipped;

    public LineSplitter(int limit, Sink sink) {
        this.limit = limit;
        this.sink = sink;
    }

    /// How much of a line over the limit has been skipped; 0 if there is none.
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

    /// A line without an end is no line.
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
        if (skipped != null) {
            sink.tooLong(skipped);
        } else {
            deliver(begun, 0, length);
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
        if (length + count > begun.length) {
            begun = Arrays.copyOf(begun, Math.clamp(2L * (length + count), 0, limit));
        }
        System.arraycopy(bytes, from, begun, length, count);
        length += count;
    }

    private void skip(byte[] bytes, int from, int to) {
        LongLine line = skipped;
        if (line == null) {
            line = new LongLine();
            line.add(begun, 0, length);
            skipped = line;
            length = 0;
            begun = NOTHING;
        }
        line.add(bytes, from, to);
    }

    private void forget() {
        begun = NOTHING;
        length = 0;
        skipped = null;
    }
}
