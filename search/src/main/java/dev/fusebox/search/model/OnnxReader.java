package dev.fusebox.search.model;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// Reads the tensors of an ONNX file, which is a protocol buffer. For one thread.
final class OnnxReader {
    private static final int GRAPH = 7;
    private static final int INITIALIZER = 5;
    private static final int NAME = 8;
    private static final int RAW = 9;
    private static final int FLOATS = 4;
    private static final int INTS = 5;

    /// A damaged length must not reserve memory.
    private static final int MAX_BYTES = 64 << 20;

    private final InputStream in;
    private final Map<String, byte[]> tensors = new LinkedHashMap<>();
    private long position;

    OnnxReader(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /// The tensors by name, in the order of the file.
    Map<String, byte[]> tensors() {
        return tensors;
    }

    /// Reads to the end of the file.
    void read() throws IOException {
        fields(Long.MAX_VALUE, (field, length) -> {
            if (field == GRAPH) {
                graph(position + length);
            }
        });
    }

    private void graph(long end) throws IOException {
        fields(end, (field, length) -> {
            if (field == INITIALIZER) {
                tensor(position + length);
            }
        });
    }

    private void tensor(long end) throws IOException {
        Tensor tensor = new Tensor();
        fields(end, (field, length) -> {
            switch (field) {
                case NAME -> tensor.name = new String(bytes(length), StandardCharsets.UTF_8);
                case RAW, FLOATS, INTS -> tensor.content = bytes(length);
                default -> {}
            }
        });
        tensors.put(tensor.name, tensor.content);
    }

    /// For one thread.
    private static final class Tensor {
        private String name = "";
        private byte[] content = new byte[0];
    }

    private interface FieldVisitor {
        /// May read the content of the field; what it leaves is skipped.
        void visit(int field, long length) throws IOException;
    }

    /// Visits all length-delimited fields of a message; skips the others.
    private void fields(long end, FieldVisitor visitor) throws IOException {
        while (position < end && !isAtEnd()) {
            long key = number();
            switch ((int) (key & 7)) {
                case 0 -> number();
                case 1 -> skip(Long.BYTES);
                case 2 -> {
                    long length = number();
                    if (length < 0 || length > end - position) {
                        throw damaged();
                    }
                    long next = position + length;
                    visitor.visit((int) (key >>> 3), length);
                    skip(next - position);
                }
                case 5 -> skip(Integer.BYTES);
                default -> throw damaged();
            }
        }
    }

    private boolean isAtEnd() throws IOException {
        in.mark(1);
        boolean isAtEnd = in.read() < 0;
        in.reset();
        return isAtEnd;
    }

    private long number() throws IOException {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = in.read();
            position++;
            if (next < 0) {
                throw damaged();
            }
            number |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return number;
            }
        }
        throw damaged();
    }

    private byte[] bytes(long length) throws IOException {
        if (length > MAX_BYTES) {
            throw damaged();
        }
        byte[] bytes = new byte[(int) length];
        if (in.readNBytes(bytes, 0, bytes.length) < bytes.length) {
            throw damaged();
        }
        position += length;
        return bytes;
    }

    private void skip(long length) throws IOException {
        if (length < 0) {
            throw damaged();
        }
        try {
            in.skipNBytes(length);
        } catch (EOFException cut) {
            throw damaged();
        }
        position += length;
    }

    private static IOException damaged() {
        return new IOException("the model file is damaged");
    }
}
