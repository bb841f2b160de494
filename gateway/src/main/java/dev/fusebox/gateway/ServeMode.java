package dev.fusebox.gateway;

/// How servers are served. Immutable.
///
/// @param isPassThrough whether the only server is passed through unchanged (transparent mode)
/// @param hasOneClient whether there is exactly one client, which may receive requests from every server
/// @param mayInstall whether servers are started only to list their tools, by package runners that may have to
/// install them first and are not stopped during that
public record ServeMode(boolean isPassThrough, boolean hasOneClient, boolean mayInstall) {
    /// All servers as one, for any number of clients.
    public static final ServeMode TO_MANY = new ServeMode(false, false);

    /// The same, only to list tools.
    public static final ServeMode INSTALLING = new ServeMode(false, false, true);

    /// Without installing.
    public ServeMode(boolean isAsItIs, boolean hasOneClient) {
        this(isAsItIs, hasOneClient, false);
    }
}
