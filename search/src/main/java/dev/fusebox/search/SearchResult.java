package dev.fusebox.search;

import java.util.List;

/// The hits of a search, best first, and how they were found. Immutable.
///
/// @param hasClauses whether the query has several clauses, which were searched too
public record SearchResult(List<SearchHit> hits, Method method, boolean hasClauses) {
    /// How documents are scored.
    public enum Method {
        /// By words.
        LEXICAL,
        /// By words and the table of word pieces.
        TABLE,
        /// By words, the table and the sentence model.
        HYBRID
    }

    public SearchResult {
        hits = List.copyOf(hits);
    }
}
