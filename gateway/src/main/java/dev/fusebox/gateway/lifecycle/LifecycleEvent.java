package dev.fusebox.gateway.lifecycle;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An event in the lifecycle of a server. Immutable.
public sealed interface LifecycleEvent {
    /// Its status changed.
    record StatusChanged(ServerStatus previous, ServerStatus status, String message) implements LifecycleEvent {}

    /// Its process exited unexpectedly.
    ///
    /// @param process null if it exited before it was known
    /// @param exitCode null if it was ended by a signal
    /// @param signal null if there was none
    /// @param count the crashes in the window
    record Crashed(
            @Nullable Long process,
            @Nullable Integer exitCode,
            @Nullable String signal,
            Duration lived,
            int count,
            boolean willRestart)
            implements LifecycleEvent {}

    /// A new process replaced a crashed one.
    ///
    /// @param attempt the number of restarts since it was last up
    record Restarted(@Nullable Long oldProcess, @Nullable Long process, String reason, int attempt)
            implements LifecycleEvent {}

    /// A process of one session was replaced, and its state of that session is lost.
    ///
    /// @param process the ended process
    /// @param next its successor
    /// @param reason `crashed`, `idle` or `ended`
    record StateLost(long process, @Nullable Long next, String reason) implements LifecycleEvent {}

    /// Its process exited unexpectedly too often.
    record GivenUp(@Nullable Long process, int count, String message) implements LifecycleEvent {}

    /// It works again.
    ///
    /// @param by what detected it: `call`, `poll` or `login`
    record Recovered(String by, Duration down) implements LifecycleEvent {}

    /// Its lists were read on a new connection.
    ///
    /// @param tokens the approximate number of tokens of all tool definitions
    record ToolsDiscovered(int count, long tokens) implements LifecycleEvent {}

    /// Its tools changed.
    record ToolsUpdated(List<String> added, List<String> removed, List<String> changed) implements LifecycleEvent {
        public ToolsUpdated {
            added = List.copyOf(added);
            removed = List.copyOf(removed);
            changed = List.copyOf(changed);
        }
    }

    /// A listener for lifecycle events. Nothing here may block.
    @FunctionalInterface
    interface Listener {
        /// Ignores all events.
        Listener NONE = (server, event) -> {};

        void happened(String server, LifecycleEvent event);
    }
}
