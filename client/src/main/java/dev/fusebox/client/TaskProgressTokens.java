package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/// Progress tokens of calls that became tasks: the call has its response, and the task continues to report
/// progress (revision 2025-11-25, section "Task Progress"). Only the most recent are kept. Thread-safe; nothing
/// blocks.
public final class TaskProgressTokens {
    private static final int MAX_TOKENS = 1_000;

    private final LinkedHashMap<Long, JsonView> tokens = new LinkedHashMap<>();

    public TaskProgressTokens() {
        // Empty.
    }

    /// Keeps the token of the call with this id if its result is a task.
    public void keep(long id, @Nullable JsonView token, JsonView result) {
        if (token != null && result.path("task", "taskId") != null) {
            keep(id, token);
        }
    }

    private synchronized void keep(long id, JsonView token) {
        tokens.put(id, token);
        if (tokens.size() > MAX_TOKENS) {
            tokens.pollFirstEntry();
        }
    }

    /// The token that the client gave; null if there is no such task.
    public synchronized @Nullable JsonView token(long id) {
        return tokens.get(id);
    }
}
