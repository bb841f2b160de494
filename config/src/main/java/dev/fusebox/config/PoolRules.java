package dev.fusebox.config;

import java.time.Duration;

/// The limits on connections. Immutable.
///
/// @param size the maximum number of concurrent connections
/// @param reserve that is opened after the oldest request has waited too long
/// @param idleRules of idle connections
/// @param waiting for one
public record PoolRules(int size, Reserve reserve, IdleRules idleRules, Waiting waiting) {
    /// The defaults.
    public static final PoolRules USUAL = new PoolRules(
            20,
            new Reserve(0, Duration.ofSeconds(5)),
            new IdleRules(0, Duration.ofMinutes(5)),
            new Waiting(1000, Duration.ofSeconds(10)));

    /// A quarter of the memory is for servers, and a server's process is assumed to need 64 MiB until it is
    /// measured: a small Node server with its tree.
    public static final long UNKNOWN_PROCESS = 64L << 20;

    private static final long GIBIBYTE = 1L << 30;

    private static final int MOST = 10_000;

    /// The number of connections to processes on a machine with this memory. The kernel keeps some memory for
    /// itself, so a machine with 24 GiB reports less; a fraction of a GiB counts as a whole one.
    ///
    /// @param memory in bytes; 0 if that is not known
    public static int sizeFor(long memory) {
        return sizeFor(memory, UNKNOWN_PROCESS);
    }

    /// The same for a known size of a process.
    ///
    /// @param process the memory of one process with its tree, in bytes
    public static int sizeFor(long memory, long process) {
        long part = Math.ceilDiv(memory, GIBIBYTE) * GIBIBYTE / 4;
        return Math.clamp(part / Math.max(1, process), USUAL.size(), MOST);
    }

    public PoolRules {
        if (size < 1 || idleRules.least() > size) {
            throw new IllegalArgumentException(
                    "the pool size must be at least 1 and at least minPoolSize, not " + size);
        }
    }

    /// Connections above the size. Immutable.
    ///
    /// @param size the number of additional connections
    /// @param after the wait of the oldest request, after which they are opened
    public record Reserve(int size, Duration after) {}

    /// How long idle connections are kept. Immutable.
    ///
    /// @param least the minimum number that is kept, the most recently used first
    /// @param idle the idle time after which the others are closed
    public record IdleRules(int least, Duration idle) {}

    /// Requests that wait for a connection. Immutable.
    ///
    /// @param length the maximum number of waiting requests
    /// @param limit the maximum wait
    public record Waiting(int length, Duration limit) {}

    /// The same with another size.
    public PoolRules withSize(int other) {
        return new PoolRules(other, reserve, idleRules, waiting);
    }
}
