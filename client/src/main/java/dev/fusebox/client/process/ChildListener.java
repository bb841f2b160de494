package dev.fusebox.client.process;

import dev.fusebox.client.framing.OversizedMessage;

/// Listener for the output and the end of a child process.
///
/// Every method is called on a thread of the child and must be quick; while [#frame] runs, the output of the child
/// is not read. An exception is logged and has no other effect: the next line is delivered as usual. [#frame] and
/// [#tooLong] are called by one thread; [#log] and [#exited] may be called at the same time by others.
public interface ChildListener {
    /// One line of stdout, without its end; never an empty one. The buffer is reused after the return.
    void frame(byte[] buffer, int from, int to);

    /// A line of stdout was over the limit and was skipped, except for its beginning and its end.
    void tooLong(OversizedMessage line);

    /// One line of stderr, cut to a kilobyte, with control characters escaped. Not every line is delivered: after
    /// the first fifty, at most twenty a second.
    ///
    /// @param dropped number of lines dropped since the previous one
    default void log(String line, long dropped) {}

    /// The child is no longer usable. Called exactly once, after all its output was delivered, unless the listener
    /// keeps one of the two threads longer than a second. Nothing is delivered afterwards.
    void exited(ChildExit exit);
}
