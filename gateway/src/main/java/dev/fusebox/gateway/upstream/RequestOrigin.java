package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The client that makes a request, and the conditions of its call. Immutable.
///
/// @param client metadata of the client
/// @param asker the queue key of the call in the fair bulkhead
/// @param limit of a call, in place of the server's own timeout; null for that
public record RequestOrigin(
        ClientMetadata client, Object asker, @Nullable Duration limit) {
    /// A queue key for all clients without a session, which cannot be distinguished.
    public interface Anonymous {}

    public RequestOrigin(ClientMetadata client, Object asker) {
        this(client, asker, null);
    }

    /// The time limit of a call to a server with this timeout. Exceeding a shorter limit of the client is no
    /// failure of the server.
    Duration time(Duration timeout) {
        return limit == null || limit.compareTo(timeout) < 0 ? timeout : limit;
    }
}
