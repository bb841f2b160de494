package dev.fusebox.cli;

/// How servers are served. Immutable.
///
/// @param isAsItIs whether the only server is passed through unchanged
/// @param hasOneClient whether there is one client and nobody else, who can be asked by every server
record Manner(boolean isAsItIs, boolean hasOneClient) {
    /// As one, to whoever comes.
    static final Manner TO_MANY = new Manner(false, false);
}
