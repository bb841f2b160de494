package dev.fusebox.client.stream;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.WireConnection;
import dev.fusebox.client.http.DuplexStream;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import java.util.function.Supplier;

/// Server over byte streams, shared by all connections to it. Thread-safe; nothing blocks.
///
/// @param name for the log
/// @param secrets that no message may show
/// @param limits of each connection
public record StreamServer(Platform platform, String name, Supplier<Redactor> secrets, StreamLimits limits) {
    /// Starts to read and write on a stream, which belongs to the connection from now on.
    public Connector.Opened connected(
            DuplexStream stream, StreamFraming framing, ServerMessageHandler serverMessageHandler) {
        WireConnection connection = new WireConnection(platform, name, serverMessageHandler, limits.maxDepth());
        StreamWire wire = new StreamWire(this, stream, framing, connection);
        connection.attach(wire);
        wire.start();
        return new Connector.Opened.Connected(connection);
    }

    /// The failure of the calls in flight when the server violates the protocol.
    ///
    /// @param how what the server did
    public CallFailure violation(String how) {
        return violation(how, Delivery.UNKNOWN);
    }

    /// The failure of a call whose connection could not be opened, because the server violated the protocol.
    ///
    /// @param how what the server did
    public CallFailure refusal(String how) {
        return violation(how, Delivery.NOT_SENT);
    }

    private CallFailure violation(String how, Delivery delivery) {
        String message = name + " " + how + " and was disconnected";
        return new CallFailure(ErrorId.PROTOCOL_VIOLATION, FailureCategory.OTHER, delivery, message, Evidence.NONE);
    }
}
