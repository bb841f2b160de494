package dev.fusebox.config;

import java.util.Optional;

/// A location in a file, to which problems are reported. Immutable.
///
/// @param problems the list of problems
/// @param pointer to it (RFC 6901); empty for the whole file
/// @param offset of its first byte; -1 if it is in no file
record SourceLocation(ProblemList problems, String pointer, int offset) {
    /// The whole file.
    static SourceLocation file(ProblemList problems) {
        return new SourceLocation(problems, "", 0);
    }

    /// For text that does not come from a file.
    static SourceLocation unknown(ProblemList problems) {
        return new SourceLocation(problems, "", -1);
    }

    /// A member or an element.
    SourceLocation inside(String name, int at) {
        return new SourceLocation(
                problems, pointer + "/" + name.replace("~", "~0").replace("/", "~1"), at);
    }

    /// The same location at another offset.
    SourceLocation moved(int to) {
        return new SourceLocation(problems, pointer, to);
    }

    /// The same location, reporting to another list.
    SourceLocation reportingTo(ProblemList others) {
        return new SourceLocation(others, pointer, offset);
    }

    void error(String message) {
        problems.error(this, message, null);
    }

    /// @param guess the probably intended word
    void error(String message, Optional<String> guess) {
        problems.error(this, message, guess.orElse(null));
    }

    /// A secret that the keyring, or a program of the operator, does not give.
    void keyringError(String message) {
        problems.keyringError(this, message);
    }

    void warn(String message) {
        problems.warn(this, message);
    }
}
