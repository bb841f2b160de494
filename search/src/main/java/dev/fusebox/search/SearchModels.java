package dev.fusebox.search;

import dev.fusebox.search.model.Embedder;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What search by meaning uses, shared by all indexes. Thread-safe.
///
/// @param table the table of word pieces, which is loaded at the first call; empty if there is none
/// @param vectors the vectors that the sentence model has computed; more may be added
/// @param stored supplies the output of [SearchIndex#writtenFeatures] of an earlier run to the first index; null if
/// there
///     is none. May block for a moment.
public record SearchModels(
        Supplier<? extends Optional<? extends Embedder>> table,
        VectorStore vectors,
        Supplier<byte @Nullable []> stored) {
    /// Models for an index that nothing is stored for.
    public SearchModels(Supplier<? extends Optional<? extends Embedder>> table, VectorStore vectors) {
        this(table, vectors, () -> null);
    }

    /// Loads the table, unless that was done.
    public void loadTable() {
        Optional<? extends Embedder> _ = table.get();
    }
}
