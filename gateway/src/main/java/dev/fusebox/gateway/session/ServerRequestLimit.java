package dev.fusebox.gateway.session;

import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// How many questions (elicitation, sampling, roots) a server may put to its client in one call. Immutable;
/// thread-safe if the observer is, which must not block.
///
/// @param refused is called with a server's name for each question too many
public record ServerRequestLimit(Consumer<String> refused) {
    /// A form, a correction, a confirmation, and two more; a person who is asked oftener answers without reading.
    public static final int MOST = 5;

    /// What a server asks the client's program and not the person.
    public static final String ROOTS = "roots/list";

    /// Refusals are logged and not counted.
    public static final ServerRequestLimit USUAL = new ServerRequestLimit(server -> {});

    private static final System.Logger LOG = LazyLoggers.of(ServerRequestLimit.class);

    /// For one call of one server.
    public Budget budget(String server) {
        return new Budget(this, server);
    }

    /// A question was refused.
    public void refuse(String server) {
        LOG.log(Level.WARNING, server + ": question refused, more than " + MOST + " in one call");
        refused.accept(server);
    }

    /// What is left for one call. Thread-safe; nothing blocks.
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

        /// Takes one question out of the budget; false if it is spent. Requests for roots are counted apart:
        /// the program answers them and not the person, and servers make them at the handshake.
        public boolean tryTake(String method) {
            AtomicInteger taken = method.equals(ROOTS) ? listed : asked;
            return taken.getAndUpdate(count -> Math.min(MOST, count + 1)) < MOST;
        }

        /// A question was refused because the budget is spent: each is counted, the first is logged.
        public void refuse() {
            if (logged.compareAndSet(false, true)) {
                limit.refuse(server);
            } else {
                limit.refused().accept(server);
            }
        }
    }
}
