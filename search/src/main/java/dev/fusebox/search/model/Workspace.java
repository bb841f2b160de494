package dev.fusebox.search.model;

/// The arrays for the intermediate results of a batch, reused by all layers and batches. For one thread.
///
/// They are allocated one after the other and each takes a multiple of 64 bytes, so all have the same alignment,
/// usually also after a garbage collection. C2 aligns the vectors of one array of a loop; with the same alignment,
/// those of the others do not cross cache lines either.
final class Workspace {
    /// The width of queries, keys and values together, the widest rows.
    static final int WIDE = 3 * DenseLayer.WIDTH;

    /// 64 bytes without the array header of 16 bytes, as a number of floats.
    private static final int HEADER_REST = 12;

    /// The matrix rows that are converted to floats at a time; with the sums of three rows they fit into a
    /// first-level cache.
    private static final int FACTORS = 8;

    private final float[][] all;
    private final int rows;

    /// @param rows the most rows of a batch
    Workspace(int rows) {
        this.rows = MatrixProduct.padded(rows);
        this.all = new float[FACTORS + 4 * this.rows][];
        for (int i = 0; i < all.length; i++) {
            all[i] = new float[(i < FACTORS + this.rows ? WIDE : DenseLayer.WIDTH) + HEADER_REST];
        }
    }

    private float[][] part(int from, int count) {
        float[][] part = new float[count][];
        System.arraycopy(all, from, part, 0, count);
        return part;
    }

    float[][] factors() {
        return part(0, FACTORS);
    }

    /// Rows for queries, keys and values, later for the inner rows of the feed-forward block.
    float[][] wide() {
        return part(FACTORS, rows);
    }

    /// The input and the output of a layer.
    float[][] states() {
        return part(FACTORS + rows, rows);
    }

    /// The results of the attention.
    float[][] mixed() {
        return part(FACTORS + 2 * rows, rows);
    }

    /// The input of the feed-forward block.
    float[][] attended() {
        return part(FACTORS + 3 * rows, rows);
    }
}
