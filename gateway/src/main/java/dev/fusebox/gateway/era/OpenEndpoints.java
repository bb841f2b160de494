package dev.fusebox.gateway.era;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The endpoints of a server that are in use or being probed. Closing it closes all of them and every one added
/// later, so that a running detection starts no more processes. Thread-safe; nothing blocks.
final class OpenEndpoints {
    private final Set<UpstreamEndpoint> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /// Adds an endpoint before its first use.
    <T extends UpstreamEndpoint> T add(T target) {
        open.add(target);
        // Close sets the flag first and looks here afterwards: one of the two sees the other.
        if (closed) {
            end(target);
        }
        return target;
    }

    /// Ends an endpoint that is not used any more.
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
