package dev.fusebox.gateway.lifecycle;

import dev.fusebox.client.CallFailure;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Something that happens to a server. Immutable.
sealed interface LifecycleInput {
    /// Somebody is on the way to it.
    record Connecting() implements LifecycleInput {}

    /// A connection is there, and hands are shaken.
    ///
    /// @param process null if it is none of ours
    record Connected(@Nullable Long process) implements LifecycleInput {}

    /// An attempt to connect failed.
    record Failed(CallFailure failure) implements LifecycleInput {}

    /// A connection ended, whoever ended it.
    ///
    /// @param process null if it is none of ours
    /// @param lived for so long
    /// @param cause the session whose calls were the only ones on it, if others share the server; otherwise null
    record Ended(
            CallFailure failure,
            @Nullable Long process,
            Duration lived,
            @Nullable Object cause) implements LifecycleInput {
        Ended(CallFailure failure, @Nullable Long process, Duration lived) {
            this(failure, process, lived, null);
        }
    }

    /// It answered.
    record Answered(By by) implements LifecycleInput {}

    /// A call failed after its last attempt.
    record CallFailed(CallFailure failure) implements LifecycleInput {}

    /// It gave no sign of life.
    record Silent() implements LifecycleInput {}

    /// What it offers is read, and not told yet.
    ///
    /// @param restarts how often it had been started anew when that began
    record Read(int restarts) implements LifecycleInput {}

    /// What it offers is told.
    record Told() implements LifecycleInput {}

    /// What it offers could not be read.
    ///
    /// @param restarts how often it had been started anew when that began
    record Unread(int restarts, CallFailure failure) implements LifecycleInput {}

    /// An operator wants a connection, or another one.
    ///
    /// @param isAfresh whether what went wrong before is forgotten
    record Commanded(String message, boolean isAfresh) implements LifecycleInput {}

    /// It is new, or another than before, and is started.
    ///
    /// @param told what everybody was told of it before it had this life
    record Begun(ServerStatus told, String message) implements LifecycleInput {}

    /// Other rules hold from now on.
    record Governed() implements LifecycleInput {}

    /// The time has come for what was due.
    record Fell(NextAction nextAction) implements LifecycleInput {}

    /// Who found out that it works again.
    enum By {
        CALL,
        POLL,
        LOGIN;

        /// The spelling in events: `call`.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
