package dev.fusebox.gateway.lifecycle;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is told of a server's life. Immutable.
public sealed interface LifecycleEvent {
    /// Its status is another one.
    record StatusChanged(ServerStatus previous, ServerStatus status, String message) implements LifecycleEvent {}

    /// Its process ended by itself.
    ///
    /// @param process null if it ended before anybody knew it
    /// @param exitCode null if a signal ended it
    /// @param signal null if none did
    /// @param count how many crashes are remembered
    record Crashed(
            @Nullable Long process,
            @Nullable Integer exitCode,
            @Nullable String signal,
            Duration lived,
            int count,
            boolean willRestart)
            implements LifecycleEvent {}

    /// Another process has taken the place of one that crashed.
    ///
    /// @param attempt how many restarts it took
    record Restarted(@Nullable Long oldProcess, @Nullable Long process, String reason, int attempt)
            implements LifecycleEvent {}

    /// A process that belonged to one session was replaced, and what it held of the session is lost.
    ///
    /// @param process that has ended
    /// @param next that has taken its place
    /// @param reason `crashed`, `idle` or `ended`
    record StateLost(long process, @Nullable Long next, String reason) implements LifecycleEvent {}

    /// Its process ended by itself too often.
    record GivenUp(@Nullable Long process, int count, String message) implements LifecycleEvent {}

    /// It works again.
    ///
    /// @param by who found that out: `call`, `poll` or `login`
    record Recovered(String by, Duration down) implements LifecycleEvent {}

    /// What it offers was read on a new connection.
    ///
    /// @param tokens that a model would pay for the definitions, roughly
    record ToolsDiscovered(int count, long tokens) implements LifecycleEvent {}

    /// Its tools are not what they were.
    record ToolsUpdated(List<String> added, List<String> removed, List<String> changed) implements LifecycleEvent {
        public ToolsUpdated {
            added = List.copyOf(added);
            removed = List.copyOf(removed);
            changed = List.copyOf(changed);
        }
    }

    /// Hears of it. Nothing here may block.
    @FunctionalInterface
    interface Listener {
        /// Hears of nothing.
        Listener NONE = (server, event) -> {};

        void happened(String server, LifecycleEvent event);
    }
}
