package dev.fusebox.platform;

import org.jspecify.annotations.Nullable;

/// A process that was launched, with our ends of its pipes.
///
/// Made for three threads: one reads the output, one the errors, one waits in [#await]. Each method says which one
/// may call it; all others are for any thread. The process stays a zombie, and so its number its own, until
/// [#bury]. Whoever has one calls, in the end, [#closeIn], [#closeOut], [#closeErr], [#closeWatch] and [#bury].
public interface SpawnedProcess {
    long pid();

    /// Blocks until there are bytes of its output. -1 when there will be none: at the end of the output, or when
    /// the process has ended and the pipe is empty, even if somebody else holds the other end. For the output's
    /// thread.
    int readOut(byte[] into);

    /// The same for its errors; for the errors' thread.
    int readErr(byte[] into);

    /// Writes what the pipe takes at once, and tells how much that was; -1 if nobody reads it any more.
    int tryWrite(byte[] bytes, int from, int to);

    /// Blocks until the process has ended, [#wake] was called, its input has room (if that is asked for), or the
    /// time is over; may return for no reason. True if the process has ended. For the watching thread.
    boolean await(boolean forRoom, long nanos);

    /// Makes a running or the next [#await] return.
    void wake();

    /// How it ended; null while it runs.
    @Nullable
    Ended ended();

    /// Sends a signal to the process; nothing if it is buried.
    void signal(Signal signal);

    /// Sends a signal to its group, if it leads one; nothing if it is buried.
    void signalGroup(Signal signal);

    /// Closes its input.
    void closeIn();

    /// For the output's thread, when it reads no more.
    void closeOut();

    /// For the errors' thread, when it reads no more.
    void closeErr();

    /// For the watching thread, when it waits no more.
    void closeWatch();

    /// Reaps the process if it has ended; from then on its number may be somebody else's.
    void bury();

    /// How a process ended: by its own exit, or by a signal.
    ///
    /// @param code exit code; 128 and the number of the signal, if there was one
    /// @param signal number of the signal; 0 if there was none
    record Ended(int code, int signal) {}
}
