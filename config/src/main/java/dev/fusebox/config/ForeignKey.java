package dev.fusebox.config;

/// A key of other clients that Fusebox does not define. Immutable.
///
/// @param name of the key
/// @param treatment whether a file may have it
/// @param words the message about it, without its subject
record ForeignKey(String name, Treatment treatment, String words) {
    /// The treatment of such a key.
    enum Treatment {
        /// Ignored with a warning, because it has no effect on the gateway.
        ACCEPTED,
        /// Rejected, because the result without it would not be the intended one.
        REFUSED
    }

    void report(SourceLocation location) {
        switch (treatment) {
            case ACCEPTED -> location.warn(words);
            case REFUSED -> location.error(words);
        }
    }

    static ForeignKey accepted(String name, String words) {
        return new ForeignKey(name, Treatment.ACCEPTED, words);
    }

    static ForeignKey refused(String name, String words) {
        return new ForeignKey(name, Treatment.REFUSED, words);
    }
}
