package dev.fusebox.gateway.config;

import dev.fusebox.client.process.ChildLimits;
import java.time.Duration;

/// What clients and servers are held to. Immutable.
///
/// @param frameBytes the longest message of a server
/// @param depth how deep a message may be nested
/// @param toolPages how many pages a list may have
/// @param clientWrite how long a client may take to read, 128 KiB over HTTP and anything at all on standard output
/// @param clientWait how long a client may take to answer a question
/// @param stuckWrite how long a process may read nothing, though it could
/// @param eraProbe how long finding out an era waits for a server that says nothing
public record LimitConfig(
        int frameBytes,
        int depth,
        int toolPages,
        Duration clientWrite,
        Duration clientWait,
        Duration stuckWrite,
        Duration eraProbe) {

    /// What a process is held to.
    public ChildLimits childLimits() {
        return ChildLimits.defaults()
                .withFrameBytes(frameBytes)
                .withStuckWrite(stuckWrite)
                .withMaxDepth(depth);
    }
}
