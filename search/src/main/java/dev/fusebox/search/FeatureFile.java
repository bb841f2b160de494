package dev.fusebox.search;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// The file format of what is known of documents without the sentence model. Right after a start nothing is compiled,
/// and
/// to read the texts of five hundred tools again would take two tenths of a second. Immutable, thread-safe.
///
/// The file, all numbers little-endian: a header with the version of the word table and the number of documents; their
/// keys, sorted; the ends of their records; the records; and a checksum.
final class FeatureFile {
    /// Other versions tokenize otherwise.
    private static final byte[] HEAD = "fusebox features 1\n".getBytes(US_ASCII);

    private static final int HEADER = HEAD.length + 2 * Integer.BYTES;
    private static final int KEY = Long.BYTES + Integer.BYTES;
    private static final int WORD = Long.BYTES + Float.BYTES;

    /// Content hash, effect, number of words, length of the vector.
    private static final int LEAST_RECORD = 4 * Integer.BYTES;

    /// The same as for a catalog. Further documents are read again after a start.
    static final int MAX_BYTES = 16 << 20;

    private final ByteBuffer bytes;
    private final long[] keys;
    private final int[] ends;

    private FeatureFile(ByteBuffer bytes, long[] keys, int[] ends) {
        this.bytes = bytes;
        this.keys = keys;
        this.ends = ends;
    }

    /// What is stored of a document.
    record Stored(ToolText.Features features, Embedding tableEmbedding) {}

    // ---- Reading

    /// Reads the output of [#written].
    ///
    /// @param table the version of the word table
    /// @return null if it is anything else, incomplete, or of another table
    static @Nullable FeatureFile read(byte[] written, int table) {
        int length = written.length - Long.BYTES;
        ByteBuffer bytes = ByteBuffer.wrap(written).order(ByteOrder.LITTLE_ENDIAN);
        if (length < HEADER || !Arrays.equals(written, 0, HEAD.length, HEAD, 0, HEAD.length)) {
            return null;
        }
        int count = bytes.position(HEAD.length).getInt() == table ? bytes.getInt() : -1;
        if (count < 0 || count > (length - HEADER) / KEY || bytes.getLong(length) != checksum(written, length)) {
            return null;
        }
        long[] keys = new long[count];
        int[] ends = new int[count];
        bytes.asLongBuffer().get(keys);
        bytes.position(HEADER + count * Long.BYTES).asIntBuffer().get(ends);
        return new FeatureFile(bytes, keys, ends);
    }

    private static long checksum(byte[] bytes, int length) {
        CRC32 sum = new CRC32();
        sum.update(bytes, 0, length);
        return sum.getValue();
    }

    /// What is stored of the document with this key; null if nothing is.
    @Nullable
    Stored of(long key) {
        int index = Arrays.binarySearch(keys, key);
        return index < 0 ? null : stored(record(index));
    }

    private ByteBuffer record(int index) {
        int from = index == 0 ? HEADER + keys.length * KEY : ends[index - 1];
        return bytes.slice(from, ends[index] - from).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static Stored stored(ByteBuffer from) {
        int contentHash = from.getInt();
        boolean changes = from.getInt() != 0;
        long[] words = new long[from.getInt()];
        float[] weights = new float[words.length];
        int length = from.getInt();
        from.asLongBuffer().get(words);
        from.position(from.position() + words.length * Long.BYTES)
                .asFloatBuffer()
                .get(weights);
        from.position(from.position() + weights.length * Float.BYTES);
        return new Stored(
                new ToolText.Features(new TermCounts(words, weights), contentHash, changes),
                Embedding.read(from, length));
    }

    // ---- Writing

    /// What is known of these documents, and what another file has of others, as far as there is room.
    ///
    /// @param table the version of the word table
    /// @param others of an earlier run; null if there is none
    static byte[] written(Collection<ToolText> toolTexts, int table, @Nullable FeatureFile others) {
        Map<Long, ByteBuffer> records = new TreeMap<>();
        int left = MAX_BYTES - HEADER - Long.BYTES;
        for (ToolText toolText : toolTexts) {
            Stored stored = toolText.stored();
            ByteBuffer record = stored == null || records.containsKey(toolText.key()) ? null : record(stored);
            if (record != null && record.remaining() + KEY <= left) {
                records.put(toolText.key(), record);
                left -= record.remaining() + KEY;
            }
        }
        for (int index = 0; others != null && index < others.keys.length; index++) {
            ByteBuffer record = others.record(index);
            if (record.remaining() + KEY <= left && records.putIfAbsent(others.keys[index], record) == null) {
                left -= record.remaining() + KEY;
            }
        }
        return written(records, table, MAX_BYTES - left);
    }

    private static ByteBuffer record(Stored stored) {
        TermCounts words = stored.features().words();
        Embedding embedding = stored.tableEmbedding();
        int size = LEAST_RECORD + words.size() * WORD + Embedding.bytes(embedding.length());
        ByteBuffer record = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        record.putInt(stored.features().contentHash());
        record.putInt(stored.features().changes() ? 1 : 0);
        record.putInt(words.size()).putInt(embedding.length());
        for (int index = 0; index < words.size(); index++) {
            record.putLong(words.word(index));
        }
        for (int index = 0; index < words.size(); index++) {
            record.putFloat(words.weight(index));
        }
        embedding.write(record);
        return record.flip();
    }

    private static byte[] written(Map<Long, ByteBuffer> records, int table, int size) {
        ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(HEAD).putInt(table).putInt(records.size());
        records.keySet().forEach(bytes::putLong);
        int end = HEADER + records.size() * KEY;
        for (ByteBuffer record : records.values()) {
            end += record.remaining();
            bytes.putInt(end);
        }
        records.values().forEach(bytes::put);
        bytes.putLong(checksum(bytes.array(), bytes.position()));
        return bytes.array();
    }
}
