package dev.fusebox.search.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32;

/// A model that embeds a text as the sum of one vector for each of its distinct word pieces, which takes
/// microseconds. The vectors were trained so that a question is close to the tool that answers it; their lengths
/// are the importance of the pieces. See `search/training/README.md`. Immutable, thread-safe.
///
/// The file, all numbers little-endian: `FBWT`, version, count and width as 32-bit integers, then for each piece a
/// 32-bit float that scales its row, then the rows, a signed byte for each number.
public final class WordTable implements Embedder {
    static final int MAGIC = 0x54574246;
    static final int VERSION = 1;
    static final int HEADER = 4 * Integer.BYTES;

    /// Far more than any model has; a damaged header must not reserve memory.
    private static final int MOST_PIECES = 1_000_000;

    private static final int WIDEST = 4096;
    private static final int MAX_BYTES = 64 << 20;

    private static final String TABLE = "word-table.bin";

    private final WordPieceTokenizer pieces;
    private final int width;
    private final float[] scales;
    private final byte[] rows;
    private final int version;

    private WordTable(WordPieceTokenizer pieces, float[] scales, byte[] rows, int version) {
        this.pieces = pieces;
        this.width = rows.length / scales.length;
        this.scales = scales;
        this.rows = rows;
        this.version = version;
    }

    /// Loads the bundled table; empty if the application was built without it.
    ///
    /// @throws IOException if the file is damaged
    public static Optional<WordTable> load() throws IOException {
        Optional<WordPieceTokenizer> pieces = WordPieceTokenizer.load();
        try (InputStream table = WordTable.class.getResourceAsStream(TABLE)) {
            return table == null || pieces.isEmpty() ? Optional.empty() : Optional.of(read(table, pieces.get()));
        }
    }

    /// Reads a file in the format of this class, which must end there.
    ///
    /// @throws IOException if it is not such a file, or damaged
    public static WordTable read(InputStream file, WordPieceTokenizer pieces) throws IOException {
        ByteBuffer header = some(file, HEADER);
        if (header.remaining() < HEADER || header.getInt() != MAGIC) {
            throw new IOException("not a word table: the file does not start with FBWT and a header");
        }
        int version = header.getInt();
        if (version != VERSION) {
            throw new IOException("the word table has version " + version + "; supported is " + VERSION);
        }
        int count = header.getInt();
        int width = header.getInt();
        if (count < 1 || count > MOST_PIECES || width < 1 || width > WIDEST || (long) count * width > MAX_BYTES) {
            throw new IOException("the word table is damaged: " + count + " pieces of width " + width);
        }
        ByteBuffer numbers = some(file, Float.BYTES * count);
        byte[] rows = new byte[count * width];
        if (numbers.remaining() < Float.BYTES * count
                || file.readNBytes(rows, 0, rows.length) < rows.length
                || file.read() >= 0) {
            throw new IOException("the word table is damaged: it does not have " + count + " rows of " + width);
        }
        float[] scales = new float[count];
        numbers.asFloatBuffer().get(scales);
        for (float scale : scales) {
            if (!Float.isFinite(scale)) {
                throw new IOException("the word table is damaged: a scale is " + scale);
            }
        }
        // Training changes all scales.
        CRC32 checksum = new CRC32();
        checksum.update(numbers.duplicate());
        return new WordTable(pieces, scales, rows, (int) checksum.getValue());
    }

    private static ByteBuffer some(InputStream file, int length) throws IOException {
        return ByteBuffer.wrap(file.readNBytes(length)).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// The length of its vectors.
    public int width() {
        return width;
    }

    /// A vector of length 1; zero if no piece of the text is known.
    @Override
    public float[] embed(String text) {
        float[] vector = new float[width];
        for (int piece : pieces.distinct(text)) {
            if (piece < scales.length) {
                add(piece, vector);
            }
        }
        return UnitVector.of(vector);
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public boolean hasKnownWord(String text) {
        return pieces.hasWholeWord(text);
    }

    private void add(int piece, float[] vector) {
        float scale = scales[piece];
        int from = piece * width;
        for (int i = 0; i < vector.length; i++) {
            vector[i] += scale * rows[from + i];
        }
    }
}
