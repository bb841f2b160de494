package dev.fusebox.protocol;

import java.util.Arrays;

/// The UTF-8 byte order mark, which some servers write before their first message. It is not part of JSON, and a
/// parser may ignore it (RFC 8259, section 8.1). Stateless, thread-safe.
final class ByteOrderMark {
    private static final byte[] UTF_8 = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private ByteOrderMark() {}

    /// The frame without a byte order mark; the same array if there is none.
    static byte[] dropped(byte[] frame) {
        boolean hasMark = frame.length >= UTF_8.length && Arrays.equals(frame, 0, UTF_8.length, UTF_8, 0, UTF_8.length);
        return hasMark ? Arrays.copyOfRange(frame, UTF_8.length, frame.length) : frame;
    }
}
