package dev.fusebox.gateway.session;

import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// The limit on requests (elicitation, sampling, roots) that a server may send to its client during one call.
/// Immutable; thread-safe if the observer is, which must not block.
///
/// @param refused is called with the server's name for each rejected request
public record ServerRequestLimit(Consumer<String> refused) {
    /// A form, a correction, a confirmation, and two more; a user who gets more requests answers without reading.
    public static final int MOST = 5;

    /// Answered by the client's program, not by its user.
    public static final String ROOTS = "roots/list";

    /// Rejections are logged and not counted.
    public static final ServerRequestLimit USUAL = new ServerRequestLimit(server -> {});

    private static final System.Logger LOG = LazyLoggers.of(ServerRequestLimit.class);

    /// The budget for one call of one server.
    public Budget budget(String server) {
        return new Budget(this, server);
    }

    /// Records a rejected request.
    public void refuse(String server) {
        LOG.log(Level.WARNING, server + ": server request rejected: more than " + MOST + " in one call");
        refused.accept(server);
    }

    /// The remaining budget of one call. Thread-safe; nothing blocks.
    public static final class Budget {
        private final ServerRequestLimit limit;
        private final String server;
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger listed = new AtomicInteger();
        private final AtomicBoolean logged = new AtomicBoolean();

        private Budget(ServerRequestLimit limit, String server) {
            this.limit = limit;
            this.server = server;
        }

        /// Takes one request from the budget; false if it is spent. Requests for roots have a separate budget:
        /// they are answered by the program and not by the user, and servers send them at the handshake.
        public boolean tryTake(String method) {
            AtomicInteger taken = method.equals(ROOTS) ? listed : asked;
            return taken.getAndUpdate(count -> Math.min(MOST, count + 1)) < MOST;
        }

        /// Records a request rejected for lack of budget: each is counted, the first is logged.
        public void refuse() {
            if (logged.compareAndSet(false, true)) {
                limit.refuse(server);
            } else {
                limit.refused().accept(server);
            }
        }
    }
}
