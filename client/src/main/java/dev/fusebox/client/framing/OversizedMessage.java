package dev.fusebox.client.framing;

import dev.fusebox.protocol.MessagePreview;
import java.util.Arrays;

/// A message over the limit, or one without enough memory, of which only the beginning and the end are kept. Valid
/// only during the call that delivers it. Not thread-safe.
public final class OversizedMessage {
    /// The id of a message is within this, unless it is placed late on purpose.
    private static final int HEAD_BYTES = 4 << 10;

    private static final int TAIL_BYTES = 1 << 10;

    private final byte[] head = new byte[HEAD_BYTES];
    private final byte[] tail = new byte[TAIL_BYTES];
    private int headLength;
    private int tailLength;
    private long bytes;
    private boolean isComplete;

    OversizedMessage() {
        // Empty.
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

    /// Its length, as far as it was read.
    public long bytes() {
        return bytes;
    }

    void complete() {
        isComplete = true;
    }

    /// Whether its end was read; if not, its connection is ended.
    public boolean isComplete() {
        return isComplete;
    }

    /// Its last bytes.
    public byte[] end() {
        return Arrays.copyOf(tail, tailLength);
    }

    /// What its beginning and its end reveal about the message.
    public MessagePreview seen() {
        return MessagePreview.of(Arrays.copyOf(head, headLength), Arrays.copyOf(tail, tailLength));
    }
}
