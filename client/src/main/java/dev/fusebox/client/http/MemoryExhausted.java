package dev.fusebox.client.http;

import dev.fusebox.client.MemoryLease;
import java.io.IOException;

/// Too many large responses are in memory.
final class MemoryExhausted extends IOException {
    private static final long serialVersionUID = 1;

    private MemoryExhausted() {
        super("no memory left for large responses");
    }

    /// Waits until a response may grow.
    ///
    /// @param before bytes that are reserved already
    static void unlessFor(int bytes, int before) throws MemoryExhausted {
        int more = bytes - Math.max(MemoryLease.FREE, before);
        MemoryLease memoryLease = MemoryLease.current();
        if (more > 0 && memoryLease != null && !memoryLease.await(more)) {
            throw new MemoryExhausted();
        }
    }
}
