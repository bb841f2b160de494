package dev.fusebox.gateway.pool;

import dev.fusebox.config.IdlePolicy;
import org.jspecify.annotations.Nullable;

/// The borrower for one client session's own connection to a server. Borrowers of the same session and server
/// are equal.
///
/// @param root the borrower of the server
/// @param session the session that owns the connection
record SessionBorrower(Borrower root, Object session) implements Borrower {
    SessionBorrower {
        root = root.root();
    }

    // The generated methods of a record are linked at run time, which would make the start slower.
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

    /// Calls of other sessions give no information about this session's connection.
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
