package dev.fusebox.gateway;

import dev.fusebox.config.GatewayClients;
import dev.fusebox.gateway.share.ShareAddress;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// The connection between a gateway and its clients. Immutable.
public sealed interface Transport {
    /// Any number of clients over HTTP, at the address `http` of the configuration (by default
    /// `127.0.0.1:7332`; port 0 is a free one).
    ///
    /// @param shared where connectors of this user find the gateway as well; null if they do not
    record Http(@Nullable ShareAddress shared) implements Transport {
        /// Without connectors.
        public Http() {
            this(null);
        }
    }

    /// One client over two streams, usually standard input and output. The gateway does not close them. The thread
    /// that reads cannot be stopped: it ends with the stream.
    ///
    /// @param onDisconnect is called, on any thread and perhaps twice, when the client closes its side or stops
    /// reading; must not block
    record Stdio(InputStream in, OutputStream out, Runnable onDisconnect) implements Transport {}

    /// Any number of clients of this user, each through the connector that it has started.
    ///
    /// @param address where connectors find the gateway
    /// @param onIdle is called, on any thread and perhaps several times, when the gateway is no longer needed;
    /// must not block
    record Shared(ShareAddress address, Runnable onIdle) implements Transport {}

    /// Where connectors find the gateway; null if they do not.
    default @Nullable ShareAddress shared() {
        return this instanceof Shared(ShareAddress address, Runnable _) ? address : null;
    }

    /// Which clients there are.
    default GatewayClients clients() {
        return switch (this) {
            case Http http -> http.shared() == null ? GatewayClients.MANY : GatewayClients.CONNECTED;
            case Stdio _ -> GatewayClients.ONE;
            case Shared _ -> GatewayClients.CONNECTED;
        };
    }
}
