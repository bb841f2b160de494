package dev.fusebox.client;

/// Hears what becomes of the connections to one server, whoever uses them. Called on any thread; nothing here may block
/// or take long.
public interface Witness {
    /// Wants to know nothing.
    Witness NONE = new Witness() {
        @Override
        public void connecting() {
            // Nobody listens.
        }

        @Override
        public void connected(Connection connection) {
            // Nobody listens.
        }

        @Override
        public void failed(Fault fault) {
            // Nobody listens.
        }

        @Override
        public void lost(Connection connection, Fault fault) {
            // Nobody listens.
        }
    };

    /// An attempt to connect has begun. It ends with [#connected] or [#failed].
    void connecting();

    /// A connection is there, and hands have been shaken where that is done.
    void connected(Connection connection);

    /// One attempt to connect failed, however many calls waited for it.
    void failed(Fault fault);

    /// One connection that had been there is gone, however many calls were on it; also if we closed it ourselves.
    void lost(Connection connection, Fault fault);
}
