package dev.fusebox.testkit.server;

import dev.fusebox.protocol.RequestId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The calls of a client that run. Thread-safe.
final class Running {
    private final Map<RequestId, Exchange> exchanges = new ConcurrentHashMap<>();

    void started(Exchange exchange) {
        exchanges.put(exchange.id(), exchange);
    }

    /// Whether the call was still running, and so may be answered. A cancelled one is answered no more.
    boolean ended(Exchange exchange) {
        return exchanges.remove(exchange.id(), exchange) && !exchange.isCancelled();
    }

    void cancel(RequestId id) {
        Exchange exchange = exchanges.get(id);
        if (exchange != null) {
            exchange.cancel();
        }
    }

    void cancelAll() {
        exchanges.values().forEach(Exchange::cancel);
    }
}
