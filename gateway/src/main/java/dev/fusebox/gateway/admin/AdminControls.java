package dev.fusebox.gateway.admin;

import java.util.Locale;
import java.util.Optional;

/// What can be done to a server. Thread-safe; [#apply] may block for as long as a server needs to start.
@FunctionalInterface
public interface AdminControls {
    /// A gateway that cannot do any of it.
    AdminControls NONE = new AdminControls() { // a lambda of an interface is linked at each start
                @Override
                public Result apply(String server, Action action) {
                    return new Result.NotPossible("this gateway cannot " + action
                            + " a server while it runs; change the configuration and start it again");
                }
            };

    /// Does it, or says why not.
    ///
    /// @param server that there is
    Result apply(String server, Action action) throws InterruptedException;

    /// Waits for the lists of servers that have never listed anything, as the first list of a client does.
    default void awaitFirstLists() throws InterruptedException {}

    /// What is done.
    enum Action {
        RESTART,
        CONNECT,
        PING,
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

        /// The spelling on the wire: `restart`.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// What came of it.
    sealed interface Result {
        /// It was done.
        record Done(String message) implements Result {}

        /// It was tried, and failed.
        record Failed(String message) implements Result {}

        /// The server has something better to do; it was not tried.
        record Busy(String message) implements Result {}

        /// An operator holds the server's breaker open or has disabled the server; it was not tried.
        record Withheld(String message) implements Result {}

        /// Nobody can do that here.
        record NotPossible(String message) implements Result {}
    }
}
