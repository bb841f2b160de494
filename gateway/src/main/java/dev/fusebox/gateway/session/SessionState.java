package dev.fusebox.gateway.session;

import dev.fusebox.client.StateLossCause;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The generation of each server that may keep state of one session in the memory of a process. A later generation
/// has other processes, or none, and does not know the session. Thread-safe; nothing blocks.
public final class SessionState {
    private final ClientHistory history;
    private final Map<String, Long> generations = new ConcurrentHashMap<>();
    private final Set<String> replaced = ConcurrentHashMap.newKeySet();

    /// @param history of the client, which may have had other sessions
    public SessionState(ClientHistory history) {
        this.history = history;
    }

    /// Notes that a process of this generation of the server may keep state of the session. A call that was in
    /// flight when the server was changed may end after a call to the next generation: its state is lost, too.
    public void note(String server, long generation) {
        Long known = generations.get(server);
        // Most calls are not the first one.
        if (known != null && known == generation) {
            return;
        }
        generations.merge(server, generation, (one, other) -> {
            if (!one.equals(other)) {
                replaced.add(server);
            }
            return Math.max(one, other);
        });
        history.note(server);
    }

    /// Why the session has lost what the server kept of it; null after the first time, and if it has not.
    ///
    /// @param generation that has answered; an earlier one than the latest cannot report that it was replaced
    public @Nullable StateLossCause takeLoss(String server, long generation) {
        StateLossCause former = history.takeLoss(server);
        Long latest = generations.get(server);
        if (latest == null || latest > generation) {
            return former;
        }
        // A generation that keeps no state has not been noted.
        boolean isReplaced = latest < generation && generations.remove(server, latest);
        isReplaced |= !replaced.isEmpty() && replaced.remove(server);
        return isReplaced ? StateLossCause.RECONFIGURED : former;
    }
}
