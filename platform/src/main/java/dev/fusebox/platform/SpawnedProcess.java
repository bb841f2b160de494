package dev.fusebox.platform;

import org.jspecify.annotations.Nullable;

/// A launched process, with our ends of its pipes.
///
/// Made for three threads: one reads standard output, one reads stderr, one waits in [#await]. Each method says
/// which of them may call it; all others are for any thread. The process stays a zombie, and so keeps its number,
/// until [#reap]. The owner finally calls [#closeIn], [#closeOut], [#closeErr], [#closeWatch] and [#reap].
public interface SpawnedProcess {
    long pid();

    /// Blocks until there are bytes of standard output. Returns -1 when there will be none: at the end of the
    /// output, or when the process has ended and the pipe is empty, even if another process holds the other end.
    /// For the output thread.
    int readOut(byte[] into);

    /// The same for stderr; for the stderr thread.
    int readErr(byte[] into);

    /// Writes as much as the pipe takes at once and returns the number of bytes; -1 if the pipe has no reader any
    /// more.
    int tryWrite(byte[] bytes, int from, int to);

    /// Blocks until the process has ended, [#wake] was called, its input has room (if `forRoom`), or the time is
    /// over; may return spuriously. Returns true if the process has ended. For the watching thread.
    boolean await(boolean forRoom, long nanos);

    /// Makes the present or the next [#await] return.
    void wake();

    /// How the process ended; null while it runs.
    @Nullable
    Ended ended();

    /// Sends a signal to the process; does nothing if it is reaped.
    void signal(Signal signal);

    /// Sends a signal to its group, if it leads one; does nothing if it is reaped.
    void signalGroup(Signal signal);

    /// Closes its input.
    void closeIn();

    /// For the output thread, when it has stopped reading.
    void closeOut();

    /// For the stderr thread, when it has stopped reading.
    void closeErr();

    /// For the watching thread, when it has stopped waiting.
    void closeWatch();

    /// Reaps the process if it has ended; afterwards its number may be reused.
    void reap();

    /// How a process ended: by its own exit, or by a signal.
    ///
    /// @param code exit code; 128 and the number of the signal, if there was one
    /// @param signal number of the signal; 0 if there was none
    record Ended(int code, int signal) {}
}
