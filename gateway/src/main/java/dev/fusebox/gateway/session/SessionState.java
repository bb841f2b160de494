package dev.fusebox.gateway.session;

import dev.fusebox.client.StateLossCause;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Which generation of each server may keep state of one session in the memory of a process. A later generation
/// has other processes, and does not know the session. Thread-safe; nothing blocks.
public final class SessionState {
    private final ClientHistory history;
    private final Map<String, Long> generations = new ConcurrentHashMap<>();
    private final Set<String> replaced = ConcurrentHashMap.newKeySet();

    /// @param history of the client, which may have had other sessions
    public SessionState(ClientHistory history) {
        this.history = history;
    }

    /// Notes that a process of this generation of the server may keep state of the session. Looks before it
    /// writes, because most calls are not the first one.
    public void note(String server, long generation) {
        Long known = generations.get(server);
        if (known != null && known >= generation) {
            return;
        }
        Long before = generations.put(server, generation);
        if (before != null && before < generation) {
            replaced.add(server);
        }
        history.note(server);
    }

    /// Why the session has lost what the server kept of it; null after the first time, and if it has not.
    public @Nullable StateLossCause takeLoss(String server) {
        StateLossCause former = history.takeLoss(server);
        return !replaced.isEmpty() && replaced.remove(server) ? StateLossCause.RECONFIGURED : former;
    }
}
