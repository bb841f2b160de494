package dev.fusebox.config;

/// Which clients a gateway has.
public enum GatewayClients {
    /// One, for as long as it runs.
    ONE,
    /// Any number, which come and go with single requests.
    MANY,
    /// Any number of one user, each with a permanent connection.
    CONNECTED
}
