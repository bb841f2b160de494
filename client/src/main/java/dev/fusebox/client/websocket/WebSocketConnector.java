package dev.fusebox.client.websocket;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connector;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.http.DuplexStream;
import dev.fusebox.client.http.ResponseHeaders;
import dev.fusebox.client.http.StreamOpener;
import dev.fusebox.client.http.StreamOpener.StreamResult;
import dev.fusebox.client.stream.StreamServer;
import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Connector over WebSocket (RFC 6455): one connection is one conversation. Thread-safe; [#open] blocks until the
/// server has switched to WebSocket, or the attempt has failed.
public final class WebSocketConnector implements Connector {
    private static final System.Logger LOG = LazyLoggers.of(WebSocketConnector.class);

    private final StreamServer server;
    private final StreamOpener opener;
    private final AtomicBoolean isWarned = new AtomicBoolean();

    /// A connector for one server.
    ///
    /// @param opener of connections to the same server
    public WebSocketConnector(StreamServer server, StreamOpener opener) {
        this.server = server;
        this.opener = opener;
    }

    @Override
    public @Nullable CallFailure refusal() {
        return opener.refusal();
    }

    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        UpgradeHandshake handshake = UpgradeHandshake.start();
        return switch (opener.upgrade(handshake.fields())) {
            case StreamResult.Opened(DuplexStream stream, ResponseHeaders response) -> {
                String fault = handshake.fault(response);
                if (fault != null) {
                    stream.close();
                    yield new Opened.Refused(server.refusal(fault));
                }
                warnWithoutSubprotocol(response);
                yield server.connected(stream, new WebSocketFraming(server), serverMessageHandler);
            }
            case StreamResult.Failed(CallFailure failure) -> new Opened.Refused(failure);
        };
    }

    private void warnWithoutSubprotocol(ResponseHeaders response) {
        if (!UpgradeHandshake.hasSubprotocol(response) && isWarned.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    server.name() + ": the server did not confirm the WebSocket subprotocol "
                            + UpgradeHandshake.SUBPROTOCOL + "; its messages are read as MCP");
        }
    }
}
