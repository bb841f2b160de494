package dev.fusebox.gateway.pool;

import dev.fusebox.config.IdlePolicy;

/// A tenant of whom a test says everything.
///
/// @param client whose turn it is
/// @param isWanted whether there is work for it
/// @param isRetired whether its server is no more
record TestBorrower(String server, IdlePolicy idlePolicy, Object client, boolean isWanted, boolean isRetired)
        implements Borrower {
    /// One like any other, whose client is its own.
    static TestBorrower called(String server) {
        return new TestBorrower(server, IdlePolicy.usual(), server, false, false);
    }

    TestBorrower with(IdlePolicy other) {
        return new TestBorrower(server, other, client, isWanted, isRetired);
    }

    TestBorrower of(Object otherClient) {
        return new TestBorrower(server, idlePolicy, otherClient, isWanted, isRetired);
    }

    TestBorrower wanted() {
        return new TestBorrower(server, idlePolicy, client, true, isRetired);
    }

    TestBorrower retired() {
        return new TestBorrower(server, idlePolicy, client, isWanted, true);
    }
}
