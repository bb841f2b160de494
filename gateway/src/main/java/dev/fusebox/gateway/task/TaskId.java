package dev.fusebox.gateway.task;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/// What the gateway's id of a task contains. Immutable.
///
/// @param server the name that the server has in the client's configuration
/// @param own the server's own id of the task
/// @param process of the server, which works on the task and loses it when it ends; empty for a server that is
///     reached over a network
/// @param createdAt when the server answered with the task
/// @param expiresAt when the id becomes invalid
public record TaskId(String server, String own, String process, Instant createdAt, Instant expiresAt) {
    /// Longer ids of servers are not accepted: the id travels in a header.
    private static final int MAX_BYTES = 2_048;

    /// Whether a server's id can be part of a signed id.
    static boolean isUsable(String own) {
        byte[] bytes = own.getBytes(StandardCharsets.UTF_8);
        // Half of a surrogate pair would not come back as it was.
        return bytes.length <= MAX_BYTES && new String(bytes, StandardCharsets.UTF_8).equals(own);
    }
}
