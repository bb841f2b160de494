package dev.fusebox.client;

import org.jspecify.annotations.Nullable;

/// Listener for the life of the connections to one server. Called on any thread; nothing here may block or take
/// long.
public interface ConnectionListener {
    /// Ignores everything.
    ConnectionListener NONE = new ConnectionListener() {
        @Override
        public void connecting() {
            // Ignored.
        }

        @Override
        public void connected(Connection connection) {
            // Ignored.
        }

        @Override
        public void failed(CallFailure failure) {
            // Ignored.
        }

        @Override
        public void lost(Connection connection, CallFailure failure) {
            // Ignored.
        }
    };

    /// An attempt to connect has begun. It ends with [#connected] or [#failed].
    void connecting();

    /// A connection is open, and initialized where the protocol requires that.
    void connected(Connection connection);

    /// One connection attempt failed, regardless of the number of calls that waited for it.
    void failed(CallFailure failure);

    /// One open connection ended, regardless of the number of calls on it; also if the gateway closed it.
    void lost(Connection connection, CallFailure failure);

    /// The process of one session has ended, and another has replaced it: the session state of the first one is
    /// lost.
    default void stateLost(StateLost loss) {
        // Most listeners do not need it.
    }

    /// Replacement of the process of a session. Immutable.
    ///
    /// @param process that has ended
    /// @param next that replaced it
    /// @param reason `crashed`; `idle` if it was unused for too long; `ended` if the gateway ended it for another
    ///     reason
    record StateLost(long process, @Nullable Long next, String reason) {}
}
