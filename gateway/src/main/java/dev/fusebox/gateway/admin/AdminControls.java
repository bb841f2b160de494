package dev.fusebox.gateway.admin;

import java.util.Locale;
import java.util.Optional;

/// The operations on a server. Thread-safe; [#apply] may block while a server starts.
@FunctionalInterface
public interface AdminControls {
    /// For a gateway that supports none of them.
    AdminControls NONE = new AdminControls() { // a lambda of an interface is linked at each start
                @Override
                public Result apply(String server, Action action) {
                    return new Result.NotPossible("this gateway cannot " + action
                            + " a server at runtime; change the configuration and restart the gateway");
                }
            };

    /// Executes an operation, or returns why it did not.
    ///
    /// @param server an existing server
    Result apply(String server, Action action) throws InterruptedException;

    /// Waits for the lists of servers that have never listed anything, as the first list request of a client does.
    default void awaitFirstLists() throws InterruptedException {}

    /// An operation on a server.
    enum Action {
        RESTART,
        CONNECT,
        PING,
        /// To use the login that was just made.
        LOGIN,
        /// To forget a login that was deleted.
        LOGOUT,
        ENABLE,
        DISABLE;

        static Optional<Action> spelled(String word) {
            for (Action action : values()) {
                if (action.toString().equals(word)) {
                    return Optional.of(action);
                }
            }
            return Optional.empty();
        }

        /// The spelling on the wire, for example `restart`.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// The result of an operation.
    sealed interface Result {
        /// Executed.
        record Done(String message) implements Result {}

        /// Attempted and failed.
        record Failed(String message) implements Result {}

        /// Not attempted, because another operation on the server is running.
        record Busy(String message) implements Result {}

        /// Not attempted, because an operator holds the server's breaker open or has disabled the server.
        record HeldByOperator(String message) implements Result {}

        /// Not supported by this gateway.
        record NotPossible(String message) implements Result {}
    }
}
