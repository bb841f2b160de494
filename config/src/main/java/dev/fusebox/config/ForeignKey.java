package dev.fusebox.config;

/// A key that files of clients carry and that is none of ours. Immutable.
///
/// @param name of the key
/// @param verdict whether a file may have it
/// @param words what is said of it, as what follows "it"
record ForeignKey(String name, Verdict verdict, String words) {
    /// What becomes of a key that is not in the table.
    enum Verdict {
        /// The file may have it: nothing is lost when it is passed over, and a warning says so.
        ACCEPTED,
        /// The file may not have it: without it something else would happen than was meant.
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
