package dev.fusebox.client;

/// Hears what a server's processes say beside the protocol. Called on their threads: nothing here may block or
/// take long.
public interface ProcessOutputListener {
    /// Hears nothing.
    ProcessOutputListener NOBODY = new ProcessOutputListener() {
        @Override
        public void error(String line, long dropped) {
            // Nobody listens.
        }

        @Override
        public void noise(String line) {
            // Nobody listens.
        }
    };

    /// One line of its standard error, without control characters. Not every line comes.
    ///
    /// @param dropped how many were kept back since the last one
    void error(String line, long dropped);

    /// The beginning of a line on its standard output that is no message. May hold any character.
    void noise(String line);
}
