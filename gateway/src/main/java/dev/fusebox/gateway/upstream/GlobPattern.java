package dev.fusebox.gateway.upstream;

import java.util.List;

/// A pattern of pieces that have to be there, with any characters between one and the next, also none. A name is
/// read once from left to right: the first place where a piece fits is as good as any later one. Immutable.
final class GlobPattern {
    private final List<String> pieces;

    /// @param pieces in their order; a name begins with the first and ends with the last
    GlobPattern(List<String> pieces) {
        this.pieces = List.copyOf(pieces);
    }

    /// A `*` parts the pieces.
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

    /// Whether the pieces between the first and the last stand there one after the other.
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
