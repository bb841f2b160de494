package dev.fusebox.gateway.pool;

import dev.fusebox.config.IdlePolicy;
import org.jspecify.annotations.Nullable;

/// The tenant of one client session's own connection to a server. Those of one session to one server are equal.
///
/// @param root the tenant of the server
/// @param session whose connection it is
record SessionBorrower(Borrower root, Object session) implements Borrower {
    SessionBorrower {
        root = root.root();
    }

    // Those that records are given are linked at run time, by which a start would take longer.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SessionBorrower borrower
                && borrower.root.equals(root)
                && borrower.session.equals(session);
    }

    @Override
    public int hashCode() {
        return 31 * root.hashCode() + session.hashCode();
    }

    @Override
    public String server() {
        return root.server();
    }

    @Override
    public IdlePolicy idlePolicy() {
        return root.idlePolicy();
    }

    /// Calls of other sessions say nothing about this one's connection.
    @Override
    public boolean isWanted() {
        return false;
    }

    @Override
    public boolean isRetired() {
        return root.isRetired();
    }

    @Override
    public boolean isOwned() {
        return true;
    }

    @Override
    public Object client() {
        return session;
    }
}
