package dev.fusebox.http;

import java.util.Arrays;

/// The body of a request as it arrives: complete as long as there is memory for it, and afterwards only its ends.
/// The first step is free, so that short requests always pass. Not thread-safe; its owner closes it.
/// ```
final class RequestBody implements AutoCloseable {
    /// The memory of a cut body: its beginning, what arrived last, and room for what arrives.
    private static final int FIRST_STEP = 8 << 10;

    private static final int END = 2 << 10;
    private static final byte[] NOTHING = {};

    private final RequestMemory room;
    private byte[] bytes = NOTHING;
    private int length;
    private int longest;
    private int taken;
    private boolean isCut;

    RequestBody(RequestMemory room) {
        this.room = room;
    }

    /// Sets the expected or greatest length, so that a body in small pieces does not grow in small steps.
    void expect(int bytesAtMost) {
        longest = bytesAtMost;
    }

    /// The number of bytes that have arrived, whether kept or not.
    int length() {
        return length;
    }

    /// Whether only its ends were kept.
    boolean isCut() {
        return isCut;
    }

    /// The kept bytes, when the body is complete.
    byte[] bytes() {
        int kept = isCut ? 2 * END : length;
        bytes = kept == bytes.length ? bytes : Arrays.copyOf(bytes, kept);
        return bytes;
    }

    /// Takes at most `most` bytes; returns false if the client has ended.
    boolean take(ConnectionInput connectionInput, int most) {
        if (!isCut && length == bytes.length) {
            grow();
        }
        int from = isCut ? 2 * END : length;
        int count = connectionInput.take(bytes, from, Math.min(most, bytes.length - from));
        if (count > 0 && isCut) {
            System.arraycopy(bytes, END + count, bytes, END, END);
        }
        length += Math.max(0, count);
        return count >= 0;
    }

    private void grow() {
        int next = (int) Math.min(longest, Math.max(FIRST_STEP, 2L * length));
        int more = next - Math.max(FIRST_STEP, bytes.length);
        if (more <= 0 || room.take(more)) {
            taken += Math.max(0, more);
            bytes = Arrays.copyOf(bytes, next);
        } else {
            cut();
        }
    }

    private void cut() {
        byte[] ends = Arrays.copyOf(bytes, FIRST_STEP);
        System.arraycopy(bytes, length - END, ends, END, END);
        bytes = ends;
        isCut = true;
        giveBack();
    }

    private void giveBack() {
        room.give(taken);
        taken = 0;
    }

    /// Releases its memory.
    @Override
    public void close() {
        giveBack();
    }
}
