package dev.fusebox.gateway.session;

import dev.fusebox.client.StateLossCause;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Which servers may keep state of one client in the memory of a process, over all gateways that the client has
/// used. Thread-safe; nothing blocks.
public final class ClientHistory {
    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    private final StateLossCause cause;
    private final Set<String> noted = ConcurrentHashMap.newKeySet();
    private final Consumer<String> listener;

    /// @param lost servers that kept state of the client when it was connected before
    /// @param cause why they may not have it any more
    /// @param listener receives each server that keeps state of the client, once; must not block
    public ClientHistory(Collection<String> lost, StateLossCause cause, Consumer<String> listener) {
        this.lost.addAll(lost);
        this.cause = cause;
        this.listener = listener;
    }

    /// Of a client whose only gateway is this one.
    public static ClientHistory none() {
        return new ClientHistory(Set.of(), StateLossCause.GATEWAY_ENDED, server -> {});
    }

    /// Notes that a process of the server may keep state of the client from now on.
    void note(String server) {
        if (noted.add(server)) {
            listener.accept(server);
        }
    }

    /// Why the client may have lost what the server kept of it; null after the first time, and if it has not.
    @Nullable
    StateLossCause takeLoss(String server) {
        return !lost.isEmpty() && lost.remove(server) ? cause : null;
    }
}
