package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One place in a [ConnectionSet]: an endpoint, which is created at its first use, and the number of calls on
/// it. Thread-safe; nothing blocks.
final class ConnectionSlot {
    private static final Set<String> WORK =
            Set.of("tools/call", "prompts/get", "resources/read", "completion/complete");

    private final Supplier<UpstreamEndpoint> factory;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile @Nullable UpstreamEndpoint endpoint;
    private volatile long lastUse;

    /// @param factory must not block
    ConnectionSlot(Supplier<UpstreamEndpoint> factory) {
        this.factory = factory;
    }

    /// A slot whose endpoint was created before.
    static ConnectionSlot of(UpstreamEndpoint created) {
        ConnectionSlot slot = new ConnectionSlot(() -> created);
        slot.endpoint = created;
        return slot;
    }

    UpstreamEndpoint endpoint() {
        UpstreamEndpoint known = endpoint;
        return known == null ? created() : known;
    }

    private synchronized UpstreamEndpoint created() {
        UpstreamEndpoint known = endpoint;
        if (known == null) {
            known = factory.get();
            endpoint = known;
        }
        return known;
    }

    /// Whether the endpoint was created.
    boolean isOpen() {
        return endpoint != null;
    }

    /// Counts a call that occupies a connection. Subscriptions and list requests do not.
    void enter(Call call) {
        if (isWork(call)) {
            enter();
        }
    }

    void enter() {
        calls.incrementAndGet();
    }

    void leave(Call call) {
        if (isWork(call)) {
            calls.decrementAndGet();
        }
    }

    int calls() {
        return calls.get();
    }

    /// A sequence number that grows with later uses; 0 if it was not used successfully yet.
    long lastUse() {
        return lastUse;
    }

    void used(long use) {
        lastUse = use;
    }

    /// Whether the call occupies a connection, and another connection would do as well.
    static boolean isWork(Call call) {
        return WORK.contains(call.request().method());
    }
}
