package dev.fusebox.search.model;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/// The bundled sentence model without its adapters, as training starts from it. Stateless.
public final class UntunedModel {
    private UntunedModel() {}

    /// Loads it in a tenth of a second.
    public static SentenceModel load() throws IOException {
        try (InputStream weights = resource(SentenceModel.WEIGHTS);
                InputStream tokenizer = resource(SentenceModel.TOKENIZER)) {
            return SentenceModel.read(weights, tokenizer);
        }
    }

    private static InputStream resource(String name) {
        return Objects.requireNonNull(SentenceModel.class.getResourceAsStream(name), name);
    }
}
