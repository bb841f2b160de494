package dev.fusebox.oauth.token;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Storage of token records, shared by all processes of this user. A reader finds the old record or the new one,
/// even after a crash. Thread-safe; everything blocks on the storage.
public interface TokenStore {
    /// The stored record; null if there is none.
    ///
    /// @throws KeyringException if the program that stores it failed
    /// @throws IOException if it cannot be read, or is not safe to use, with the reason
    @Nullable
    TokenRecord read(TokenKey key) throws IOException;

    /// Stores a record. It is on the disk when this method returns.
    void write(TokenRecord tokenRecord) throws IOException;

    /// Deletes a record.
    void remove(TokenKey key) throws IOException;

    /// All records that can be read, perhaps without their tokens, which [#read] returns then.
    List<TokenRecord> all() throws IOException;

    /// Takes the lock of a record, which one thread of one process of this machine holds at a time, and which ends
    /// with its process. Null if it is taken.
    @Nullable
    Lock tryLock(TokenKey key) throws IOException;

    /// A lock that is held.
    interface Lock extends AutoCloseable {
        @Override
        void close();
    }
}
