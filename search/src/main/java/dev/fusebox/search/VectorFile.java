package dev.fusebox.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.search.model.SentenceModel;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.zip.CRC32;

/// The file format of vectors: a header that identifies the model, the length, each vector with the SHA-256 of its
/// text, and a checksum. Stateless, thread-safe.
final class VectorFile {
    /// Vectors of another model, or of texts in another form, cannot be used.
    private static final byte[] HEAD = ("fusebox vectors 3: " + SentenceModel.NAME + "\n").getBytes(UTF_8);

    private static final int KEY = 32;

    private VectorFile() {}

    /// The same vectors give the same bytes.
    ///
    /// @param vectors by the SHA-256 of their texts
    /// @param length the length of all of them
    static byte[] written(Map<String, Embedding> vectors, int length) {
        SortedMap<String, Embedding> all = new TreeMap<>(vectors);
        int each = KEY + Embedding.bytes(length);
        ByteBuffer bytes = ByteBuffer.allocate(HEAD.length + Integer.BYTES + all.size() * each + Long.BYTES);
        bytes.put(HEAD).putInt(length);
        all.forEach((key, embedding) -> {
            bytes.put(HexFormat.of().parseHex(key));
            embedding.write(bytes);
        });
        bytes.putLong(checksum(bytes.array()));
        return bytes.array();
    }

    /// Reads the output of [#written].
    ///
    /// @return false if it is anything else, incomplete, or has vectors of another length: then nothing is read
    static boolean read(byte[] written, int length, BiConsumer<String, Embedding> each) {
        ByteBuffer bytes = ByteBuffer.wrap(written);
        int least = HEAD.length + Integer.BYTES + Long.BYTES;
        if (written.length < least || bytes.getLong(written.length - Long.BYTES) != checksum(written)) {
            return false;
        }
        byte[] head = new byte[HEAD.length];
        bytes.get(head);
        if (!Arrays.equals(head, HEAD) || bytes.getInt() != length) {
            return false;
        }
        byte[] key = new byte[KEY];
        while (bytes.remaining() >= Long.BYTES + KEY + Embedding.bytes(length)) {
            bytes.get(key);
            each.accept(HexFormat.of().formatHex(key), Embedding.read(bytes, length));
        }
        return true;
    }

    /// The checksum of all bytes before it.
    private static long checksum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes, 0, bytes.length - Long.BYTES);
        return sum.getValue();
    }
}
