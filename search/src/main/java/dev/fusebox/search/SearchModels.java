package dev.fusebox.search;

import dev.fusebox.search.model.Embedder;
import java.util.Optional;
import java.util.function.Supplier;

/// What search by meaning uses, shared by all indexes. Thread-safe.
///
/// @param table the table of word pieces, which is loaded at the first call; empty if there is none
/// @param vectors the vectors that the sentence model has computed; more may be added
public record SearchModels(Supplier<? extends Optional<? extends Embedder>> table, VectorStore vectors) {}
