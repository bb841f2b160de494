package dev.fusebox.search;

/// A document that was found. Immutable.
///
/// @param index of the document in its library
/// @param score from 0 to 1; more is better, and what is under a quarter is hardly meant
public record SearchHit(int index, double score) {}
