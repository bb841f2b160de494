package dev.fusebox.client;

/// Listener for the output of server processes outside of the protocol. Called on the threads of the processes:
/// nothing here may block or take long.
public interface ProcessOutputListener {
    /// Ignores everything.
    ProcessOutputListener NONE = new ProcessOutputListener() {
        @Override
        public void error(String line, long dropped) {
            // Ignored.
        }

        @Override
        public void noise(String line) {
            // Ignored.
        }
    };

    /// One line of stderr, without control characters. Lines may be dropped to limit their rate.
    ///
    /// @param dropped number of lines dropped since the previous one
    void error(String line, long dropped);

    /// The beginning of a line on stdout that is not a message. It may contain any character.
    void noise(String line);
}
