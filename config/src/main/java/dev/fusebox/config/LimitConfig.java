package dev.fusebox.config;

import java.time.Duration;

/// Limits for clients and servers. Immutable.
///
/// @param frameBytes the longest message of a server
/// @param depth the deepest nesting of a message
/// @param toolPages pages of a list
/// @param clientWrite how long a client may take to read 128 KiB over HTTP, or any amount from standard output
/// @param clientWait how long a client may take to answer a server request
/// @param stuckWrite how long a process may read nothing while input is waiting
/// @param eraProbe how long the detection of an era waits for an answer
public record LimitConfig(
        int frameBytes,
        int depth,
        int toolPages,
        Duration clientWrite,
        Duration clientWait,
        Duration stuckWrite,
        Duration eraProbe) {}
