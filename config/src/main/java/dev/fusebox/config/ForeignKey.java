package dev.fusebox.config;

/// A key of other clients that Fusebox does not define. Immutable.
///
/// @param name of the key
/// @param verdict whether a file may have it
/// @param words the message about it, without its subject
record ForeignKey(String name, Verdict verdict, String words) {
    /// The treatment of such a key.
    enum Verdict {
        /// Ignored with a warning, because it has no effect on the gateway.
        ACCEPTED,
        /// Rejected, because the result without it would not be the intended one.
        REFUSED
    }

    void report(SourceLocation location) {
        switch (verdict) {
            case ACCEPTED -> location.warn(words);
            case REFUSED -> location.error(words);
        }
    }

    static ForeignKey accepted(String name, String words) {
        return new ForeignKey(name, Verdict.ACCEPTED, words);
    }

    static ForeignKey refused(String name, String words) {
        return new ForeignKey(name, Verdict.REFUSED, words);
    }
}
