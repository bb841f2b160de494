package dev.fusebox.client;

import org.jspecify.annotations.Nullable;

/// Hears what becomes of the connections to one server, whoever uses them. Called on any thread; nothing here may
/// block or take long.
public interface ConnectionListener {
    /// Wants to know nothing.
    ConnectionListener NONE = new ConnectionListener() {
        @Override
        public void connecting() {
            // Nobody listens.
        }

        @Override
        public void connected(Connection connection) {
            // Nobody listens.
        }

        @Override
        public void failed(CallFailure failure) {
            // Nobody listens.
        }

        @Override
        public void lost(Connection connection, CallFailure failure) {
            // Nobody listens.
        }
    };

    /// An attempt to connect has begun. It ends with [#connected] or [#failed].
    void connecting();

    /// A connection is there, and hands have been shaken where that is done.
    void connected(Connection connection);

    /// One attempt to connect failed, however many calls waited for it.
    void failed(CallFailure failure);

    /// One connection that had been there is gone, however many calls were on it; also if we closed it ourselves.
    void lost(Connection connection, CallFailure failure);

    /// A process that belonged to one session has ended, and another has taken its place: what the first one held
    /// of the session is lost.
    default void stateLost(StateLost loss) {
        // Most witnesses do not need to know it.
    }

    /// What is known of that. Immutable.
    ///
    /// @param process that has ended
    /// @param next that has taken its place
    /// @param reason `crashed`; `idle` if it was unused for too long; `ended` for another reason of the gateway
    record StateLost(long process, @Nullable Long next, String reason) {}
}
