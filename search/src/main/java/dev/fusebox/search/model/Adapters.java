package dev.fusebox.search.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/// Low-rank adapters, which tune a model for a task: to each matrix the product of two narrow ones is added. They are
/// written by `search/training/tune_model.py`. Immutable.
///
/// The file, all numbers little-endian: `FBAD`, version and rank as 32-bit integers, then for each matrix in the order
/// of the model the narrow ones, of 16-bit floats in row-major order.
final class Adapters {
    static final int MAGIC = 0x44414246;
    static final int VERSION = 1;

    private static final int HIGHEST_RANK = 256;

    private final int rank;

    /// The narrow matrices follow the three numbers of the header.
    private final ByteBuffer content;

    private Adapters(int rank, ByteBuffer content) {
        this.rank = rank;
        this.content = content;
    }

    /// @throws IOException if it is not such a file
    static Adapters read(byte[] file) throws IOException {
        ByteBuffer content = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        if (file.length < 3 * Integer.BYTES || content.getInt() != MAGIC || content.getInt() != VERSION) {
            throw new IOException("not adapters of version " + VERSION);
        }
        int rank = content.getInt();
        if (rank < 1 || rank > HIGHEST_RANK) {
            throw new IOException("the adapters are damaged: rank " + rank);
        }
        return new Adapters(rank, content.slice().order(ByteOrder.LITTLE_ENDIAN));
    }

    /// The weights of the tuned model.
    ///
    /// @throws IOException if the adapters belong to another model
    ModelWeights tuned(ModelWeights weights) throws IOException {
        ByteBuffer rest = content.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        Map<String, byte[]> tuned = new LinkedHashMap<>();
        for (String matrix : weights.matrices()) {
            byte[] bytes = weights.bytes(matrix + "_quantized");
            float[] scales = weights.floats(matrix + "_scale");
            int height = bytes.length / scales.length;
            if (rest.remaining() < Short.BYTES * rank * (height + scales.length)) {
                throw new IOException("the adapters belong to another model: they end before " + matrix);
            }
            float[][] down = matrix(rest, height, rank);
            float[][] up = matrix(rest, rank, scales.length);
            float[][] sum = sum(bytes, scales, product(down, up));
            tuned.put(matrix + "_quantized", quantized(sum, scales));
            tuned.put(matrix + "_scale", ModelWeights.bytes(scales));
        }
        if (rest.hasRemaining()) {
            throw new IOException("the adapters belong to another model: " + rest.remaining() + " bytes are left");
        }
        return weights.with(tuned);
    }

    private static float[][] matrix(ByteBuffer from, int height, int width) {
        float[][] matrix = new float[height][width];
        for (float[] row : matrix) {
            for (int i = 0; i < width; i++) {
                row[i] = Float.float16ToFloat(from.getShort());
            }
        }
        return matrix;
    }

    private static float[][] product(float[][] down, float[][] up) {
        float[][] product = new float[down.length][up[0].length];
        for (int row = 0; row < down.length; row++) {
            for (int middle = 0; middle < up.length; middle++) {
                add(down[row][middle], up[middle], product[row]);
            }
        }
        return product;
    }

    private static void add(float factor, float[] row, float[] sums) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += factor * row[i];
        }
    }

    private static float[][] sum(byte[] bytes, float[] scales, float[][] product) {
        for (int row = 0; row < product.length; row++) {
            for (int column = 0; column < scales.length; column++) {
                product[row][column] += bytes[row * scales.length + column] * scales[column];
            }
        }
        return product;
    }

    /// The matrix as bytes, with a new scale for each column.
    private static byte[] quantized(float[][] matrix, float[] scales) {
        for (int column = 0; column < scales.length; column++) {
            float most = Float.MIN_NORMAL;
            for (float[] row : matrix) {
                most = Math.max(most, Math.abs(row[column]));
            }
            scales[column] = most / Byte.MAX_VALUE;
        }
        byte[] bytes = new byte[matrix.length * scales.length];
        for (int row = 0; row < matrix.length; row++) {
            for (int column = 0; column < scales.length; column++) {
                bytes[row * scales.length + column] = (byte) Math.round(matrix[row][column] / scales[column]);
            }
        }
        return bytes;
    }
}
