package dev.fusebox.search.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// The weights of a model, read from its ONNX file: a protocol buffer of which only the graph (field 7) and its
/// initializers (field 5) are needed. Reads no more than that. Immutable.
final class ModelWeights {
    private static final int GRAPH = 7;
    private static final int INITIALIZER = 5;
    private static final int TENSOR_NAME = 8;
    private static final int TENSOR_RAW = 9;
    private static final int TENSOR_FLOATS = 4;
    private static final int TENSOR_INTS = 5;

    private final Map<String, ByteBuffer> tensors = new LinkedHashMap<>();

    ModelWeights(byte[] file) {
        ByteBuffer whole = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        fields(whole, this::ofModel);
    }

    private ModelWeights(Map<String, ByteBuffer> tensors) {
        this.tensors.putAll(tensors);
    }

    /// The same weights with others in place of some of them.
    ModelWeights with(Map<String, ByteBuffer> others) {
        ModelWeights changed = new ModelWeights(tensors);
        changed.tensors.putAll(others);
        return changed;
    }

    static ByteBuffer buffer(float[] floats) {
        ByteBuffer buffer = ByteBuffer.allocate(Float.BYTES * floats.length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asFloatBuffer().put(floats);
        return buffer;
    }

    private void ofModel(int field, ByteBuffer content) {
        if (field == GRAPH) {
            fields(content, this::ofGraph);
        }
    }

    private void ofGraph(int field, ByteBuffer content) {
        if (field == INITIALIZER) {
            add(content);
        }
    }

    private interface Visitor {
        void visit(int field, ByteBuffer content);
    }

    private void add(ByteBuffer tensor) {
        Tensor found = new Tensor();
        fields(tensor, found);
        tensors.put(found.name, found.content);
    }

    /// The needed parts of one constant. For one thread.
    private static final class Tensor implements Visitor {
        private String name = "";
        private ByteBuffer content = ByteBuffer.allocate(0);

        @Override
        public void visit(int field, ByteBuffer value) {
            switch (field) {
                case TENSOR_NAME -> name = StandardCharsets.UTF_8.decode(value).toString();
                case TENSOR_RAW, TENSOR_FLOATS, TENSOR_INTS -> content = value;
                default -> {}
            }
        }
    }

    /// Visits all length-delimited fields; skips the others.
    private static void fields(ByteBuffer message, Visitor visitor) {
        while (message.hasRemaining()) {
            long key = number(message);
            switch ((int) (key & 7)) {
                case 0 -> number(message);
                case 1 -> message.position(message.position() + Long.BYTES);
                case 2 -> {
                    int length = (int) number(message);
                    ByteBuffer content =
                            message.slice(message.position(), length).order(ByteOrder.LITTLE_ENDIAN);
                    message.position(message.position() + length);
                    visitor.visit((int) (key >>> 3), content);
                }
                case 5 -> message.position(message.position() + Integer.BYTES);
                default -> throw new IllegalArgumentException("the model file is damaged");
            }
        }
    }

    private static long number(ByteBuffer message) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = message.get();
            number |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("the model file is damaged");
    }

    /// The names of all matrices of multiplications, in the order of use.
    String[] matrices() {
        return tensors.keySet().stream()
                .filter(name -> name.startsWith("onnx::MatMul_") && name.endsWith("_quantized"))
                .map(name -> name.substring(0, name.length() - "_quantized".length()))
                .toArray(String[]::new);
    }

    byte[] bytes(String name) {
        ByteBuffer content = content(name);
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        return bytes;
    }

    float[] floats(String name) {
        ByteBuffer content = content(name);
        float[] floats = new float[content.remaining() / Float.BYTES];
        content.asFloatBuffer().get(floats);
        return floats;
    }

    private ByteBuffer content(String name) {
        ByteBuffer content = Objects.requireNonNull(tensors.get(name), () -> "the model has no " + name);
        return content.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }
}
