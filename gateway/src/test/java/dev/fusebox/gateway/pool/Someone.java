package dev.fusebox.gateway.pool;

/// A tenant of whom a test says everything.
///
/// @param client whose turn it is
/// @param isWanted whether there is work for it
/// @param isRetired whether its server is no more
record Someone(String server, IdlePolicy idlePolicy, Object client, boolean isWanted, boolean isRetired)
        implements Borrower {
    /// One like any other, whose client is its own.
    static Someone called(String server) {
        return new Someone(server, IdlePolicy.usual(), server, false, false);
    }

    Someone with(IdlePolicy other) {
        return new Someone(server, other, client, isWanted, isRetired);
    }

    Someone of(Object otherClient) {
        return new Someone(server, idlePolicy, otherClient, isWanted, isRetired);
    }

    Someone wanted() {
        return new Someone(server, idlePolicy, client, true, isRetired);
    }

    Someone retired() {
        return new Someone(server, idlePolicy, client, isWanted, true);
    }
}
