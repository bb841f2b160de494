package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The place of a way to a server, which is built when it is first needed, and how many calls are on it.
/// Thread-safe; only [#call] blocks, as long as the caller has patience.
final class ConnectionSlot {
    private static final Set<String> WORK =
            Set.of("tools/call", "prompts/get", "resources/read", "completion/complete");

    private final Supplier<UpstreamEndpoint> building;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile @Nullable UpstreamEndpoint endpoint;

    /// @param building must not block
    ConnectionSlot(Supplier<UpstreamEndpoint> building) {
        this.building = building;
    }

    /// One whose way is there.
    static ConnectionSlot of(UpstreamEndpoint built) {
        ConnectionSlot slot = new ConnectionSlot(() -> built);
        slot.endpoint = built;
        return slot;
    }

    UpstreamEndpoint endpoint() {
        UpstreamEndpoint known = endpoint;
        return known == null ? built() : known;
    }

    private synchronized UpstreamEndpoint built() {
        UpstreamEndpoint known = endpoint;
        if (known == null) {
            known = building.get();
            endpoint = known;
        }
        return known;
    }

    boolean isBuilt() {
        return endpoint != null;
    }

    /// One call more; whoever says so calls [#leave].
    void enter() {
        calls.incrementAndGet();
    }

    void leave() {
        calls.decrementAndGet();
    }

    int calls() {
        return calls.get();
    }

    /// Makes the call. Work counts as long as it lasts; to listen, and to read lists, keeps nobody away.
    Outcome call(Call call, ClientMetadata client) {
        if (!isWork(call)) {
            return endpoint().call(call, client);
        }
        enter();
        try {
            return endpoint().call(call, client);
        } finally {
            leave();
        }
    }

    /// Whether another connection to the server would do as well.
    static boolean isWork(Call call) {
        return WORK.contains(call.request().method());
    }
}
