package dev.fusebox.http;

import java.util.Arrays;

/// The body of a request as it comes: whole, as long as there is room for it, and then its ends alone. The first
/// step is free, so that short requests come through whatever happens. Not thread-safe; its owner closes it.
///
/// ```
/// whole --no room for the next step--> cut      of what is cut, the rest is read and not kept
/// ```
final class RequestBody implements AutoCloseable {
    /// As much as is kept of a body that is cut: its beginning, what came last, and room for what comes.
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

    /// How long it will be, or can be: in small pieces it shall not grow in small steps.
    void expect(int bytesAtMost) {
        longest = bytesAtMost;
    }

    /// What has come, whether kept or not.
    int length() {
        return length;
    }

    /// Whether only its ends are there.
    boolean isCut() {
        return isCut;
    }

    /// What is there of it, at the end.
    byte[] bytes() {
        int kept = isCut ? 2 * END : length;
        bytes = kept == bytes.length ? bytes : Arrays.copyOf(bytes, kept);
        return bytes;
    }

    /// Takes up to so many bytes; false if the client has ended.
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

    /// Nobody looks at it any more.
    @Override
    public void close() {
        giveBack();
    }
}
