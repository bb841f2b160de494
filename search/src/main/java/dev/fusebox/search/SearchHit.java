package dev.fusebox.search;

/// A document that was found. Immutable.
///
/// @param index of the document in its search index
/// @param score from 0 to 1; higher is better, and a score under a quarter is rarely relevant
public record SearchHit(int index, double score) {}
