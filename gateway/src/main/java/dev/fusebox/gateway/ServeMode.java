package dev.fusebox.gateway;

import dev.fusebox.config.GatewayClients;
/// How servers are served. Immutable.
///
/// @param isPassThrough whether the only server is passed through unchanged (transparent mode)
/// @param clients which clients there are
/// @param mayInstall whether servers are started only to list their tools, by package runners that may have to
/// install them first and are not stopped during that

public record ServeMode(boolean isPassThrough, GatewayClients clients, boolean mayInstall) {
    /// All servers as one, for any number of clients.
    public static final ServeMode TO_MANY = new ServeMode(false, GatewayClients.MANY);

    /// The same, only to list tools.
    public static final ServeMode INSTALLING = new ServeMode(false, GatewayClients.MANY, true);

    /// Without installing.
    public ServeMode(boolean isAsItIs, GatewayClients clients) {
        this(isAsItIs, clients, false);
    }
}
