package dev.fusebox.client.process;

import dev.fusebox.protocol.MessagePreview;
import java.util.Arrays;

/// A line over the limit, or one that there was no memory for, of which only the ends are kept. Lent to whoever is
/// told of it. For one thread.
public final class OversizedLine {
    /// Whose a message is stands within this, unless somebody hides it.
    private static final int HEAD_BYTES = 4 << 10;

    private static final int TAIL_BYTES = 1 << 10;

    private final byte[] head = new byte[HEAD_BYTES];
    private final byte[] tail = new byte[TAIL_BYTES];
    private int headLength;
    private int tailLength;
    private long bytes;
    private boolean isComplete;

    OversizedLine() {
        // Nothing has been skipped yet.
    }

    void add(byte[] from, int begin, int end) {
        bytes += end - begin;
        int first = Math.min(end - begin, HEAD_BYTES - headLength);
        System.arraycopy(from, begin, head, headLength, first);
        headLength += first;
        int last = Math.min(end - begin, TAIL_BYTES);
        int kept = Math.min(tailLength, TAIL_BYTES - last);
        System.arraycopy(tail, tailLength - kept, tail, 0, kept);
        System.arraycopy(from, end - last, tail, kept, last);
        tailLength = kept + last;
    }

    /// How long it is, as far as it was read.
    public long bytes() {
        return bytes;
    }

    void complete() {
        isComplete = true;
    }

    /// Whether its end was read; if not, the child ends with it.
    public boolean isComplete() {
        return isComplete;
    }

    /// Its last bytes.
    byte[] end() {
        return Arrays.copyOf(tail, tailLength);
    }

    /// What can be told of it as a message.
    public MessagePreview seen() {
        return MessagePreview.of(Arrays.copyOf(head, headLength), Arrays.copyOf(tail, tailLength));
    }
}
