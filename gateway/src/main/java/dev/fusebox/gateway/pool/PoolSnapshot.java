package dev.fusebox.gateway.pool;

/// A pool at one moment. Immutable.
///
/// @param size bound on connections, without the reserve
/// @param taken current connections, including those that are closing
/// @param idle unused connections among these
/// @param waiting requests that wait for a slot
/// @param totals counters since the gateway started
public record PoolSnapshot(int size, int taken, int idle, int waiting, Totals totals) {
    /// The counters of a pool. Immutable.
    ///
    /// @param evicted connections closed to make room for others
    /// @param expired connections closed because they were idle for long
    /// @param reserved connections opened from the reserve
    /// @param refused requests that got no slot
    public record Totals(long evicted, long expired, long reserved, long refused) {}
}
