package dev.fusebox.search;

import dev.fusebox.search.model.Embedder;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// A query for the documents of an index. Immutable.
///
/// @param model embeds the query, with the model that embedded the documents; null to search without it
/// @param wanted which documents to consider
/// @param most the greatest number of hits
public record SearchQuery(String text, @Nullable Embedder model, IntPredicate wanted, int most) {}
