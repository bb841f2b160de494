package dev.fusebox.cli;

import dev.fusebox.config.LiteralSecrets.Literal;
import java.util.List;

/// The planned or applied move of one client's server by `init`. Immutable.
///
/// @param name in the client's file
/// @param move the kind of move
/// @param as its name in Fusebox's configuration; empty if it is not there
/// @param reason why it is not moved, or a remark; empty if there is none
/// @param variables that replace its secrets
record MovedServer(String name, Move move, String as, String reason, List<Literal> variables) {
    /// The kind of move.
    enum Move {
        /// Added to Fusebox's configuration and removed from the client's file.
        TAKEN,
        /// Already in Fusebox's configuration; removed from the client's file.
        MERGED,
        /// Fusebox itself under another name; removed from the client's file.
        ITSELF,
        /// Left in the client's file.
        STAYS
    }

    static MovedServer staying(String name, String reason) {
        return new MovedServer(name, Move.STAYS, "", reason, List.of());
    }

    MovedServer because(String other) {
        return new MovedServer(name, move, as, other, variables);
    }

    boolean leaves() {
        return move != Move.STAYS;
    }

    /// The value in JSON: `taken`, `merged`, `itself` or `stays`.
    String result() {
        return switch (move) {
            case TAKEN -> "taken";
            case MERGED -> "merged";
            case ITSELF -> "itself";
            case STAYS -> "stays";
        };
    }
}
