package dev.fusebox.schema;

import java.util.List;
import java.util.function.IntPredicate;

/// A node of a pattern's syntax tree. Immutable.
sealed interface PatternNode {
    /// Zero-width assertions.
    enum AssertionKind {
        BEGIN,
        END,
        EDGE_OF_WORD,
        NO_EDGE_OF_WORD
    }

    /// One character.
    record SingleCharacter(IntPredicate test) implements PatternNode {}

    /// A zero-width assertion.
    record Assertion(AssertionKind assertionKind) implements PatternNode {}

    /// A concatenation; empty matches everywhere.
    record Sequence(List<PatternNode> parts) implements PatternNode {}

    /// An alternation.
    record Choice(List<PatternNode> options) implements PatternNode {}

    /// A repetition.
    ///
    /// @param most [#ENDLESS] if there is no maximum
    record Repeat(PatternNode what, int least, int most) implements PatternNode {
        static final int ENDLESS = -1;
    }
}
