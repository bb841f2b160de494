package dev.fusebox.cli;

/// How servers are served. Immutable.
///
/// @param isAsItIs whether the only server is passed through unchanged
/// @param hasOneClient whether there is one client and nobody else, who can be asked by every server
/// @param mayInstall whether servers are started only to be read, by package runners that have to install them
/// first and are not ended in the middle
record ServeMode(boolean isAsItIs, boolean hasOneClient, boolean mayInstall) {
    /// As one, to whoever comes.
    static final ServeMode TO_MANY = new ServeMode(false, false);

    static final ServeMode INSTALLING = new ServeMode(false, false, true);

    ServeMode(boolean isAsItIs, boolean hasOneClient) {
        this(isAsItIs, hasOneClient, false);
    }
}
