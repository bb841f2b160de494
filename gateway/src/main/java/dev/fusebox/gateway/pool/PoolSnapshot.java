package dev.fusebox.gateway.pool;

/// A pool at one moment. Immutable.
///
/// @param size so many connections there may be, without the reserve
/// @param taken so many there are, those that are ending included
/// @param idle how many of these are unused
/// @param waiting so many attempts to connect wait for their turn
/// @param totals since the gateway runs
public record PoolSnapshot(int size, int taken, int idle, int waiting, Totals totals) {
    /// What has been done so far. Immutable.
    ///
    /// @param evicted connections that made room for others
    /// @param expired connections that had been idle for long
    /// @param reserved connections above the size
    /// @param refused attempts to connect that got none
    public record Totals(long evicted, long expired, long reserved, long refused) {}
}
