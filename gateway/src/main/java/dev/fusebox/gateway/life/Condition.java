package dev.fusebox.gateway.life;

import dev.fusebox.client.Fault;
import org.jspecify.annotations.Nullable;

/// How a server is, for people. Immutable.
///
/// @param message what its status means
/// @param live connections that are there
/// @param lastFault what went wrong last; null if nothing did since it was ready
public record Condition(
        String server,
        Status status,
        String message,
        int live,
        @Nullable Fault lastFault) {}
