package dev.fusebox.gateway.arguments;

import java.util.List;
import java.util.function.IntPredicate;

/// A part of a pattern, as it was read. Immutable.
sealed interface PatternNode {
    /// Places between characters.
    enum Place {
        BEGIN,
        END,
        EDGE_OF_WORD,
        NO_EDGE_OF_WORD
    }

    /// One character.
    record One(IntPredicate test) implements PatternNode {}

    /// No character, but a certain place.
    record At(Place place) implements PatternNode {}

    /// One after the other; none at all fits everywhere.
    record Sequence(List<PatternNode> parts) implements PatternNode {}

    /// One of them.
    record Choice(List<PatternNode> options) implements PatternNode {}

    /// So many times.
    ///
    /// @param most [#ENDLESS] if there is no end
    record Repeat(PatternNode what, int least, int most) implements PatternNode {
        static final int ENDLESS = -1;
    }
}
