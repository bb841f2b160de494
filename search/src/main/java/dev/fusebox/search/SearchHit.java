package dev.fusebox.search;

import java.util.List;

/// A document that was found. Immutable.
///
/// @param score how likely it is what was looked for, from 0 to 1
/// @param equivalents documents of other groups that do the same, which were found too
public record SearchHit(int index, double score, List<SearchHit> equivalents) {
    public SearchHit {
        equivalents = List.copyOf(equivalents);
    }

    SearchHit(int index, double score) {
        this(index, score, List.of());
    }
}
