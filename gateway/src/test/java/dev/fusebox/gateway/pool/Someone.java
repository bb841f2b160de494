package dev.fusebox.gateway.pool;

/// A tenant of whom a test says everything.
///
/// @param client whose turn it is
/// @param isWanted whether there is work for it
record Someone(String server, Stay stay, Object client, boolean isWanted) implements Tenant {
    /// One like any other, whose client is its own.
    static Someone called(String server) {
        return new Someone(server, Stay.usual(), server, false);
    }

    Someone with(Stay other) {
        return new Someone(server, other, client, isWanted);
    }

    Someone of(Object otherClient) {
        return new Someone(server, stay, otherClient, isWanted);
    }

    Someone wanted() {
        return new Someone(server, stay, client, true);
    }
}
