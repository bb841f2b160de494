package dev.fusebox.gateway.config;

/// A place in a file that something can be said about. Immutable.
///
/// @param problems where it is said
/// @param pointer to it (RFC 6901); empty for the whole file
/// @param offset of its first byte; -1 if it stands nowhere
record Spot(Problems problems, String pointer, int offset) {
    /// The whole file.
    static Spot file(Problems problems) {
        return new Spot(problems, "", 0);
    }

    /// What stands in no file.
    static Spot nowhere(Problems problems) {
        return new Spot(problems, "", -1);
    }

    /// A member or an element.
    Spot inside(String name, int at) {
        return new Spot(problems, pointer + "/" + name.replace("~", "~0").replace("/", "~1"), at);
    }

    /// The same place seen from its value.
    Spot moved(int to) {
        return new Spot(problems, pointer, to);
    }

    /// The same place, with somebody else to tell.
    Spot telling(Problems others) {
        return new Spot(others, pointer, offset);
    }

    void error(String message) {
        problems.error(this, message, null);
    }

    void error(String message, String guess) {
        problems.error(this, message, guess);
    }

    void warn(String message) {
        problems.warn(this, message);
    }
}
