package dev.fusebox.cli;

import dev.fusebox.config.LiteralSecrets.Literal;
import java.util.List;

/// What `init` does, or would do, with one server of a client. Immutable.
///
/// @param name as the client has it
/// @param move what becomes of it
/// @param as its name in the configuration of Fusebox; empty if it is not in it
/// @param reason why it stays, or what else there is to say; empty if there is nothing
/// @param variables that stand in the place of its secrets
record MovedServer(String name, Move move, String as, String reason, List<Literal> variables) {
    /// What becomes of a server.
    enum Move {
        /// It is added to the configuration of Fusebox and taken out of the client's file.
        TAKEN,
        /// The configuration has it already; it is taken out of the client's file.
        MERGED,
        /// It is Fusebox itself under another name; it is taken out of the client's file.
        ITSELF,
        /// It stays in the client's file.
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

    /// In JSON: `taken`, `merged`, `itself` or `stays`.
    String result() {
        return switch (move) {
            case TAKEN -> "taken";
            case MERGED -> "merged";
            case ITSELF -> "itself";
            case STAYS -> "stays";
        };
    }
}
