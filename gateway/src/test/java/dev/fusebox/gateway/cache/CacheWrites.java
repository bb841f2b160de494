package dev.fusebox.gateway.cache;

import static dev.fusebox.testkit.Eventually.eventually;

/// The pending writes of all caches in this JVM, for tests of which no other runs beside them.
public final class CacheWrites {
    private CacheWrites() {}

    /// Waits until nothing is to be written. A cache that is closed waits for the disk for a second only, which is
    /// not enough for a busy machine.
    public static void await() {
        eventually(
                "no cache has anything to write",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("fusebox-cache")));
    }
}
