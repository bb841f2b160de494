package dev.fusebox.http;

/// How many bytes the bodies of all requests may have together, while they are read and worked on. Thread-safe;
/// nothing blocks.
final class RequestMemory {
    private final long most;
    private long taken;

    RequestMemory(long most) {
        this.most = most;
    }

    /// Whoever gets true gives them back once.
    synchronized boolean take(int bytes) {
        boolean fits = taken + bytes <= most;
        taken += fits ? bytes : 0;
        return fits;
    }

    synchronized void give(int bytes) {
        taken -= bytes;
    }
}
