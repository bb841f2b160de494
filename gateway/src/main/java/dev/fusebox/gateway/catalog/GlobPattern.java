package dev.fusebox.gateway.catalog;

import java.util.List;

/// A pattern of literal pieces with any characters, or none, between them. Matching is greedy from left to
/// right: the first position where a piece fits is as good as any later one. Immutable.
final class GlobPattern {
    private final List<String> pieces;

    /// @param pieces in order; a name begins with the first and ends with the last
    GlobPattern(List<String> pieces) {
        this.pieces = List.copyOf(pieces);
    }

    /// Parses a pattern whose pieces are separated by `*`.
    static GlobPattern of(String pattern) {
        return new GlobPattern(List.of(pattern.split("\\*", -1)));
    }

    boolean matches(String name) {
        String first = pieces.getFirst();
        String last = pieces.getLast();
        if (pieces.size() == 1) {
            return name.equals(first);
        }
        int end = name.length() - last.length();
        if (end < first.length() || !name.startsWith(first) || !name.endsWith(last)) {
            return false;
        }
        return hasInOrder(name, first.length(), end);
    }

    /// Whether the inner pieces occur in order.
    private boolean hasInOrder(String name, int from, int end) {
        int at = from;
        for (String piece : pieces.subList(1, pieces.size() - 1)) {
            int found = name.indexOf(piece, at);
            if (found < 0 || found + piece.length() > end) {
                return false;
            }
            at = found + piece.length();
        }
        return true;
    }
}
