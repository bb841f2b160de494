package dev.fusebox.search;

import java.nio.ByteBuffer;

/// The vector of a text: length 1, one byte per number and a common scale. The rounding error, less than a
/// thousandth of a similarity, changes no order that matters. Immutable.
final class Embedding {
    private final byte[] numbers;
    private final float scale;

    private Embedding(byte[] numbers, float scale) {
        this.numbers = numbers;
        this.scale = scale;
    }

    static Embedding of(float[] vector) {
        float most = 0;
        for (float value : vector) {
            most = Math.max(most, Math.abs(value));
        }
        float scale = most / Byte.MAX_VALUE;
        byte[] numbers = new byte[vector.length];
        for (int i = 0; i < vector.length && most > 0; i++) {
            float number = vector[i] / scale;
            numbers[i] = (byte) (number < 0 ? number - 0.5f : number + 0.5f);
        }
        return new Embedding(numbers, scale);
    }

    static Embedding of(byte[] numbers, float scale) {
        return new Embedding(numbers, scale);
    }

    boolean isFinite() {
        return Float.isFinite(scale);
    }

    int length() {
        return numbers.length;
    }

    float scale() {
        return scale;
    }

    /// Puts the numbers into a column of a matrix.
    void putInto(byte[][] rows, int column) {
        for (int row = 0; row < numbers.length; row++) {
            rows[row][column] = numbers[row];
        }
    }

    /// The cosine, as both have length 1.
    float similarity(Embedding other) {
        int sum = 0;
        for (int i = 0; i < numbers.length; i++) {
            sum += numbers[i] * other.numbers[i];
        }
        return sum * scale * other.scale;
    }

    // ---- As bytes

    /// The size in bytes of an embedding with so many numbers.
    static int bytes(int length) {
        return Float.BYTES + length;
    }

    void write(ByteBuffer into) {
        into.putFloat(scale).put(numbers);
    }

    static Embedding read(ByteBuffer from, int length) {
        float scale = from.getFloat();
        byte[] numbers = new byte[length];
        from.get(numbers);
        return new Embedding(numbers, scale);
    }
}
