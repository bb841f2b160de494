package dev.fusebox.search.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// The weights of a model, read from its ONNX file: a protocol buffer of which only the graph (field 7) and its
/// initializers (field 5) are needed. Immutable; the arrays are its own and not to be changed.
final class ModelWeights {
    private final Map<String, byte[]> tensors;

    private ModelWeights(Map<String, byte[]> tensors) {
        this.tensors = tensors;
    }

    /// Reads the tensors one by one: the whole file would need as much memory again.
    ///
    /// @throws IOException if the file is damaged
    static ModelWeights read(InputStream file) throws IOException {
        OnnxReader reader = new OnnxReader(file);
        reader.read();
        return new ModelWeights(reader.tensors());
    }

    /// The same weights with others in place of some of them.
    ModelWeights with(Map<String, byte[]> others) {
        Map<String, byte[]> changed = new LinkedHashMap<>(tensors);
        changed.putAll(others);
        return new ModelWeights(changed);
    }

    static byte[] bytes(float[] floats) {
        byte[] bytes = new byte[Float.BYTES * floats.length];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(floats);
        return bytes;
    }

    /// The names of all matrices of multiplications, in the order of use.
    String[] matrices() {
        return tensors.keySet().stream()
                .filter(name -> name.startsWith("onnx::MatMul_") && name.endsWith("_quantized"))
                .map(name -> name.substring(0, name.length() - "_quantized".length()))
                .toArray(String[]::new);
    }

    byte[] bytes(String name) {
        return Objects.requireNonNull(tensors.get(name), () -> "the model has no " + name);
    }

    float[] floats(String name) {
        byte[] bytes = bytes(name);
        float[] floats = new float[bytes.length / Float.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(floats);
        return floats;
    }
}
