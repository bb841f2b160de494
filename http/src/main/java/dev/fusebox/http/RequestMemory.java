package dev.fusebox.http;

/// The memory budget for the bodies of all requests in progress. Thread-safe; never blocks.
final class RequestMemory {
    private final long most;
    private long taken;

    RequestMemory(long most) {
        this.most = most;
    }

    /// A caller that gets true returns the bytes once.
    synchronized boolean take(int bytes) {
        boolean fits = taken + bytes <= most;
        taken += fits ? bytes : 0;
        return fits;
    }

    synchronized void give(int bytes) {
        taken -= bytes;
    }
}
