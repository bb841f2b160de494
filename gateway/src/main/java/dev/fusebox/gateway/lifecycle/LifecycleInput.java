package dev.fusebox.gateway.lifecycle;

import dev.fusebox.client.CallFailure;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An input of the lifecycle state machine of a server. Immutable.
sealed interface LifecycleInput {
    /// A connection is being opened.
    record Connecting() implements LifecycleInput {}

    /// A connection was established, including the handshake.
    ///
    /// @param process null for a remote server
    record Connected(@Nullable Long process) implements LifecycleInput {}

    /// An attempt to connect failed.
    record Failed(CallFailure failure) implements LifecycleInput {}

    /// A connection ended, for any reason.
    ///
    /// @param process null for a remote server
    /// @param lived how long it existed
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

    /// The server answered.
    record Answered(Detector detector) implements LifecycleInput {}

    /// A call failed after its last attempt.
    record CallFailed(CallFailure failure) implements LifecycleInput {}

    /// The server did not answer a ping.
    record Silent() implements LifecycleInput {}

    /// Its lists were read, and not announced yet.
    ///
    /// @param restarts the number of forced restarts when reading began
    record Read(int restarts) implements LifecycleInput {}

    /// Its lists were announced.
    record ListsAnnounced() implements LifecycleInput {}

    /// Its lists could not be read.
    ///
    /// @param restarts the number of forced restarts when reading began
    record ListsFailed(int restarts, CallFailure failure) implements LifecycleInput {}

    /// An operator requests a connection, or a new one.
    ///
    /// @param isAfresh whether to clear the failure history
    record OperatorRequested(String message, boolean isAfresh) implements LifecycleInput {}

    /// A login was made, and is tried at once.
    record LoggedIn() implements LifecycleInput {}

    /// The server is new or changed, and is started.
    ///
    /// @param told the status that was announced before
    record Added(ServerStatus told, String message) implements LifecycleInput {}

    /// The settings changed.
    record SettingsChanged() implements LifecycleInput {}

    /// A timer expired.
    record TimerFired(NextAction nextAction) implements LifecycleInput {}

    /// What detected the recovery.
    enum Detector {
        CALL,
        POLL,
        LOGIN;

        /// The spelling in events, for example `call`.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
