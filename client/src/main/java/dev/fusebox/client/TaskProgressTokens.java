package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/// The progress tokens of calls that became tasks: the call is answered, and the task goes on to tell its progress
/// (revision 2025-11-25, section "Task Progress"). Only the youngest are kept. Thread-safe; nothing blocks.
public final class TaskProgressTokens {
    private static final int MOST = 1_000;

    private final LinkedHashMap<Long, JsonView> tokens = new LinkedHashMap<>();

    public TaskProgressTokens() {
        // There are none yet.
    }

    /// Keeps the token of the call with this id if its answer is a task.
    public void keep(long id, @Nullable JsonView token, JsonView result) {
        if (token != null && result.path("task", "taskId") != null) {
            keep(id, token);
        }
    }

    private synchronized void keep(long id, JsonView token) {
        tokens.put(id, token);
        if (tokens.size() > MOST) {
            tokens.pollFirstEntry();
        }
    }

    /// The token that the client gave; null if there is no such task.
    public synchronized @Nullable JsonView token(long id) {
        return tokens.get(id);
    }
}
