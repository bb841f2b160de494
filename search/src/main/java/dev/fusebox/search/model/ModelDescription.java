package dev.fusebox.search.model;

/// A sentence model that [SentenceModel] can read: a BERT encoder with 384 numbers per token and 12 attention
/// heads. Its weights are in `NAME.onnx`, its vocabulary in `NAME-tokenizer.json`. Immutable.
enum ModelDescription {
    MINI_LM("all-minilm-l6-v2-q", 6, Pooling.MEAN, ""),
    BGE_SMALL("bge-small-en-v1.5-q", 12, Pooling.FIRST, "Represent this sentence for searching relevant passages: ");

    /// How the vectors of all tokens become the vector of the text.
    enum Pooling {
        MEAN,
        /// The vector of the first token, `[CLS]`.
        FIRST
    }

    private final String fileName;
    private final int layers;
    private final Pooling pooling;
    private final String queryPrefix;

    ModelDescription(String fileName, int layers, Pooling pooling, String queryPrefix) {
        this.fileName = fileName;
        this.layers = layers;
        this.pooling = pooling;
        this.queryPrefix = queryPrefix;
    }

    String fileName() {
        return fileName;
    }

    String weightsFile() {
        return fileName + ".onnx";
    }

    String tokenizerFile() {
        return fileName + "-tokenizer.json";
    }

    int layers() {
        return layers;
    }

    Pooling pooling() {
        return pooling;
    }

    /// The training of the model put this text in front of each query.
    String queryPrefix() {
        return queryPrefix;
    }
}
