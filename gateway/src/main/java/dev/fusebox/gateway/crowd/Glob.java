package dev.fusebox.gateway.crowd;

import java.util.ArrayList;
import java.util.List;

/// A pattern in which `*` stands for any characters, also none. A name is read once from left to right: the first place
/// where a piece fits is as good as any later one. Immutable.
final class Glob {
    private final List<String> pieces;

    Glob(String pattern) {
        var found = new ArrayList<String>();
        int from = 0;
        for (int star = pattern.indexOf('*'); star >= 0; star = pattern.indexOf('*', from)) {
            found.add(pattern.substring(from, star));
            from = star + 1;
        }
        found.add(pattern.substring(from));
        this.pieces = List.copyOf(found);
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
