package dev.fusebox.http;

import java.nio.charset.StandardCharsets;

/// A read-only view of received bytes that have not been taken yet. Positions count from its start. Valid as
/// [ConnectionInput#byteSpan] says; for one thread.
final class ByteSpan {
    private final byte[] bytes;
    private final int from;
    private final int length;

    ByteSpan(byte[] bytes, int from, int length) {
        this.bytes = bytes;
        this.from = from;
        this.length = length;
    }

    int length() {
        return length;
    }

    byte at(int position) {
        return bytes[from + position];
    }

    /// The text with each byte as one character.
    String text(int start, int end) {
        return new String(bytes, from + start, end - start, StandardCharsets.ISO_8859_1);
    }
}
