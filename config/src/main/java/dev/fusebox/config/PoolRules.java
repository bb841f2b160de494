package dev.fusebox.config;

import java.time.Duration;

/// How many connections there are. Immutable.
///
/// @param size so many at once
/// @param reserve that is opened when the oldest request has waited for long
/// @param keeping of idle connections
/// @param waiting for one
public record PoolRules(int size, Reserve reserve, Keeping keeping, Waiting waiting) {
    /// How it is without configuration.
    public static final PoolRules USUAL = new PoolRules(
            20,
            new Reserve(0, Duration.ofSeconds(5)),
            new Keeping(0, Duration.ofMinutes(5)),
            new Waiting(1000, Duration.ofSeconds(10)));

    /// A quarter of the memory is for servers, and a server's process needs 64 MiB until it is known: a small Node
    /// server with its tree.
    public static final long UNKNOWN_PROCESS = 64L << 20;

    private static final long GIBIBYTE = 1L << 30;

    private static final int MOST = 10_000;

    /// How many connections to processes a machine with so much memory can have. The kernel keeps some memory for
    /// itself, so a machine of 24 GiB shows less; started ones count in full.
    ///
    /// @param memory in bytes; 0 if that is not known
    public static int sizeFor(long memory) {
        return sizeFor(memory, UNKNOWN_PROCESS);
    }

    /// The same where the size of a process is known.
    ///
    /// @param process bytes that one takes with its tree
    public static int sizeFor(long memory, long process) {
        long part = Math.ceilDiv(memory, GIBIBYTE) * GIBIBYTE / 4;
        return Math.clamp(part / Math.max(1, process), USUAL.size(), MOST);
    }

    public PoolRules {
        if (size < 1 || keeping.least() > size) {
            throw new IllegalArgumentException(
                    "the pool size must be at least 1 and at least minPoolSize, not " + size);
        }
    }

    /// Connections above the size. Immutable.
    ///
    /// @param size so many more
    /// @param after the wait of the oldest request, after which they are opened
    public record Reserve(int size, Duration after) {}

    /// How long idle connections are kept. Immutable.
    ///
    /// @param least so many stay, those that were used last
    /// @param idle the others end after so long
    public record Keeping(int least, Duration idle) {}

    /// Requests that wait for a connection. Immutable.
    ///
    /// @param length so many may wait
    /// @param limit for so long
    public record Waiting(int length, Duration limit) {}

    /// The same with another size.
    public PoolRules withSize(int other) {
        return new PoolRules(other, reserve, keeping, waiting);
    }
}
