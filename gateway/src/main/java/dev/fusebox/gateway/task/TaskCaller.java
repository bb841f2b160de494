package dev.fusebox.gateway.task;

import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ForwardingCaller;
import org.jspecify.annotations.Nullable;

/// The caller of a call that may be answered with a task, or of a request about one: it notes the connection on which
/// the answer comes. Thread-safe; nothing blocks.
public final class TaskCaller extends ForwardingCaller {
    private final @Nullable Connection required;
    private volatile @Nullable Connection connection;

    public TaskCaller(Caller caller) {
        this(caller, null);
    }

    /// @param required where the call must be made; null for any
    TaskCaller(Caller caller, @Nullable Connection required) {
        super(caller);
        this.required = required;
    }

    /// The connection on which the server has responded; null if it has not.
    public @Nullable Connection connection() {
        return connection;
    }

    @Override
    public @Nullable Connection requiredConnection() {
        return required;
    }

    @Override
    public void answeredOn(Connection on) {
        connection = on;
    }
}
