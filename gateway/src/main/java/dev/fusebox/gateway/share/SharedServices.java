package dev.fusebox.gateway.share;

import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.session.ClientHistory;
import java.util.List;

/// What a shared gateway serves its clients. Thread-safe.
public interface SharedServices {
    /// The names of the variables that the gateway needs of a client. Does not block.
    List<String> variables();

    /// The servers as a client at this place sees them. Blocks for reading the configuration.
    Lease open(ClientPlace place) throws Unservable;

    /// The service of one client, until it is closed. Thread-safe.
    interface Lease extends AutoCloseable {
        /// What the client is served.
        ///
        /// @param history of the client
        GatewayService service(ClientHistory history);

        /// Lines for the user of the client.
        List<String> notes();

        /// Does not block.
        @Override
        void close();
    }

    /// A client cannot be served; the message says why.
    final class Unservable extends Exception {
        private static final long serialVersionUID = 1;

        public Unservable(String message) {
            super(message);
        }
    }
}
