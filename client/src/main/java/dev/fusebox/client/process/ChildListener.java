package dev.fusebox.client.process;

/// Hears what a child says and how it ends.
///
/// Every method is called on a thread of the child and should be quick; while [#frame] runs, the child's output
/// waits. What a method throws is logged and changes nothing: the next line is delivered as if nothing had
/// happened. [#frame] and [#tooLong] are called by one thread; [#log] and [#exited] may come at the same time from
/// others.
public interface ChildListener {
    /// One line, without its end; never an empty one. The bytes are lent: they change after the return.
    void frame(byte[] buffer, int from, int to);

    /// A line was longer than a frame may be and was skipped but for its ends.
    void tooLong(OversizedLine line);

    /// One line of the child's errors, cut to a kilobyte, with control characters made visible. Not every line
    /// comes: after the first fifty at most twenty a second.
    ///
    /// @param dropped how many lines were kept back since the last one
    default void log(String line, long dropped) {}

    /// The child is of no use any more. Called exactly once, after all that it had written was delivered, unless
    /// the listener keeps the output's thread longer than 80 ms, or the errors' thread longer than a second.
    /// Nothing is delivered afterwards.
    void exited(ChildExit exit);
}
