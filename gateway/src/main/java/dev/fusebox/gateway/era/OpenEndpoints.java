package dev.fusebox.gateway.era;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The ways to a server that are tried or used. When they are closed all of them end, and so does each that comes
/// later: what is being found out at that moment starts no process any more. Thread-safe; nothing blocks.
final class OpenEndpoints {
    private final Set<UpstreamEndpoint> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /// One more, before its first use.
    <T extends UpstreamEndpoint> T add(T target) {
        open.add(target);
        // Whoever closes sets the flag first and looks then: one of the two finds it.
        if (closed) {
            end(target);
        }
        return target;
    }

    /// Nobody needs this one any more.
    void end(UpstreamEndpoint endpoint) {
        open.remove(endpoint);
        endpoint.close();
    }

    boolean isClosed() {
        return closed;
    }

    void startOver() {
        Set.copyOf(open).forEach(UpstreamEndpoint::startOver);
    }

    void close() {
        closed = true;
        Set.copyOf(open).forEach(this::end);
    }
}
