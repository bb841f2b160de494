package dev.fusebox.client.stream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connector;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.http.DuplexStream;
import dev.fusebox.client.http.StreamOpener;
import dev.fusebox.client.http.StreamOpener.StreamResult;

/// Connector over TCP, with one message on each line. Thread-safe; [#open] blocks until the connection is open, or
/// the attempt has failed.
public final class TcpConnector implements Connector {
    private final StreamServer server;
    private final StreamOpener opener;

    public TcpConnector(StreamServer server, StreamOpener opener) {
        this.server = server;
        this.opener = opener;
    }

    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        return switch (opener.connect()) {
            case StreamResult.Opened(DuplexStream stream, var _) ->
                server.connected(stream, new LineFraming(server.limits().frameBytes()), serverMessageHandler);
            case StreamResult.Failed(CallFailure failure) -> new Opened.Refused(failure);
        };
    }
}
