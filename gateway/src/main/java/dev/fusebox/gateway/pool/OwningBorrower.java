package dev.fusebox.gateway.pool;

import dev.fusebox.client.ConnectionOwner;
import dev.fusebox.config.IdlePolicy;
import org.jspecify.annotations.Nullable;

/// The borrower for the connection of one owner to a server: of a client session, or of a principal other than the
/// gateway's owner. Borrowers of the same owner and server are equal.
///
/// @param root the borrower of the server
record OwningBorrower(Borrower root, ConnectionOwner owner) implements Borrower {
    OwningBorrower {
        root = root.root();
    }

    // The generated methods of a record are linked at run time, which would make the start slower.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OwningBorrower borrower && borrower.root.equals(root) && borrower.owner.equals(owner);
    }

    @Override
    public int hashCode() {
        return 31 * root.hashCode() + owner.hashCode();
    }

    @Override
    public String server() {
        return root.server();
    }

    @Override
    public IdlePolicy idlePolicy() {
        return root.idlePolicy();
    }

    /// Calls of others give no information about this connection.
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
        return owner.session();
    }
}
