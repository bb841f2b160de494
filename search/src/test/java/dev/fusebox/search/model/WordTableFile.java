package dev.fusebox.search.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// A writer of files that [WordTable] reads. Stateless.
public final class WordTableFile {
    private static final int LARGEST = Byte.MAX_VALUE;

    private WordTableFile() {}

    /// The file with these vectors, one for each word piece; each number is rounded to a byte.
    public static byte[] of(float[][] table) {
        int width = table[0].length;
        ByteBuffer file = ByteBuffer.allocate(WordTable.HEADER + table.length * (Float.BYTES + width))
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(WordTable.MAGIC)
                .putInt(WordTable.VERSION)
                .putInt(table.length)
                .putInt(width);
        for (float[] row : table) {
            file.putFloat(scale(row));
        }
        for (float[] row : table) {
            float scale = scale(row);
            for (float value : row) {
                file.put(scale > 0 ? (byte) Math.round(value / scale) : 0);
            }
        }
        return file.array();
    }

    private static float scale(float[] row) {
        float largest = 0;
        for (float value : row) {
            largest = Math.max(largest, Math.abs(value));
        }
        return largest / LARGEST;
    }
}
