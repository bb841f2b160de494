package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.PreconnectedConnector;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An endpoint for a modern server: all clients share one connection, and frames of modern clients pass
/// unchanged. Thread-safe; [#call] blocks.
final class ModernEndpoint implements UpstreamEndpoint, ServerMessageHandler {
    private final Platform platform;
    private final ReconnectingConnection reconnectingConnection;
    private final @Nullable StateLoss loss;
    private final Set<Caller> wantLogs = ConcurrentHashMap.newKeySet();

    /// @param opening creates the connection to the server for a message handler
    ModernEndpoint(Platform platform, Function<ServerMessageHandler, ReconnectingConnection> opening) {
        this(platform, opening, null);
    }

    /// @param loss reports to the owning session that its process was replaced; null if the endpoint is shared
    ModernEndpoint(
            Platform platform,
            Function<ServerMessageHandler, ReconnectingConnection> opening,
            @Nullable StateLoss loss) {
        this.platform = platform;
        this.reconnectingConnection = opening.apply(this);
        this.loss = loss;
    }

    /// Connects, unless that was done.
    ReconnectingConnection.HandshakeResult greet(Deadline deadline) {
        return reconnectingConnection.initialize(deadline);
    }

    /// Makes each further process answer `server/discover` before it is called, since the server is known to do
    /// so.
    ModernEndpoint opening() {
        reconnectingConnection.opening(DetectedEndpoint.question(), EraProbe::isStateless);
        return this;
    }

    /// Transfers the connection to another endpoint of the server; null if there is none.
    @Nullable
    PreconnectedConnector handOver() {
        return reconnectingConnection.handOver();
    }

    /// Null if there is none.
    @Nullable
    Connection connected() {
        return reconnectingConnection.connected();
    }

    @Override
    public boolean isOn(Connection connection) {
        return connection.equals(connected());
    }

    @Override
    public Outcome call(Call call) {
        boolean isSubscription = call.request().method().equals("subscriptions/listen");
        boolean wantsLog = !isSubscription && call.client().logLevel() != null;
        Outcome outcome = null;
        begin(call, wantsLog);
        try {
            outcome = reconnectingConnection.call(ModernFields.into(call));
        } finally {
            end(call, wantsLog, outcome);
        }
        if (isSubscription) {
            return underItsId(call.request().id(), outcome);
        }
        return loss == null ? outcome : loss.report(call, outcome);
    }

    private void begin(Call call, boolean wantsLog) {
        if (wantsLog) {
            wantLogs.add(call.caller());
        }
        if (loss != null) {
            loss.begin(call);
        }
    }

    private void end(Call call, boolean wantsLog, @Nullable Outcome outcome) {
        if (wantsLog) {
            wantLogs.remove(call.caller());
        }
        if (loss != null) {
            loss.end(call, outcome);
        }
    }

    /// The end of a subscription carries the id of the request that opened it, which is different on the
    /// connection to the server.
    private static Outcome underItsId(RequestId id, Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered(Message.Answer answer))) {
            return outcome;
        }
        JsonView named = answer.frame().path("result", "_meta", ClientMetadata.SUBSCRIPTION_ID);
        return new Outcome.Answered(Message.Answer.of(
                Splice.of(answer.frame()).replace(named, id.json()).bytes()));
    }

    /// Servers send no requests in this era; one that does violates the protocol.
    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request request) {
        return false;
    }

    /// A log message belongs to a request, but on a shared connection it does not name the request. It is
    /// delivered if only one request in flight asked for log messages.
    @Override
    public void onNotification(Message.Notification notification) {
        Caller[] callers = wantLogs.toArray(Caller[]::new);
        if (callers.length == 1 && notification.method().equals("notifications/message")) {
            callers[0].onNotification(notification);
        }
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        // Every call on it has been failed already.
    }

    @Override
    public HealthCheckResult checkHealth(long since, Duration limit) {
        Deadline deadline = new Deadline(limit, Duration.ZERO, platform.ticker());
        return reconnectingConnection.checkHealth(
                since, new Call(DetectedEndpoint.question(), deadline, Caller.SILENT));
    }

    @Override
    public boolean hasReceivedSince(long then) {
        return reconnectingConnection.hasReceivedSince(then);
    }

    @Override
    public void disconnect() {
        reconnectingConnection.disconnect();
    }

    @Override
    public void startOver() {
        reconnectingConnection.startOver();
    }

    @Override
    public void close() {
        reconnectingConnection.close();
    }
}
