package dev.fusebox.client;

/// Hears what becomes of the connections to one server, whoever uses them. Called on any thread; nothing here may block
/// or take long.
public interface Witness {
    /// Wants to know nothing.
    Witness NONE = new Witness() {
        @Override
        public void connected() {
            // Nobody listens.
        }

        @Override
        public void failed(Fault fault) {
            // Nobody listens.
        }

        @Override
        public void lost(Fault fault) {
            // Nobody listens.
        }
    };

    /// A connection is there, and hands have been shaken where that is done.
    void connected();

    /// One attempt to connect failed, however many calls waited for it.
    void failed(Fault fault);

    /// One connection that had been there was lost, however many calls were on it.
    void lost(Fault fault);
}
