package dev.fusebox.gateway.session;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Which servers may keep state of one client in the memory of a process, over all gateways that the client has
/// used. Thread-safe; nothing blocks.
public final class ClientHistory {
    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    private final Set<String> noted = ConcurrentHashMap.newKeySet();
    private final Consumer<String> listener;

    /// @param lost servers whose processes ended with a former gateway
    /// @param listener receives each server that keeps state of the client, once; must not block
    public ClientHistory(Collection<String> lost, Consumer<String> listener) {
        this.lost.addAll(lost);
        this.listener = listener;
    }

    /// Of a client whose only gateway is this one.
    public static ClientHistory none() {
        return new ClientHistory(Set.of(), server -> {});
    }

    /// Notes that a process of the server may keep state of the client from now on.
    public void note(String server) {
        if (noted.add(server)) {
            listener.accept(server);
        }
    }

    /// Whether the client has lost what the server kept of it, and is to be told now; true once.
    public boolean takeLost(String server) {
        return !lost.isEmpty() && lost.remove(server);
    }
}
