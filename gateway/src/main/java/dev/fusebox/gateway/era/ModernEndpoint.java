package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
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

/// A modern server: all clients share one connection, and frames of modern clients pass unchanged. Thread-safe;
/// [#call] blocks.
final class ModernEndpoint implements UpstreamEndpoint, ServerMessageHandler {
    private final Platform platform;
    private final ReconnectingConnection reconnectingConnection;
    private final @Nullable StateLoss loss;
    private final Set<Caller> wantLogs = ConcurrentHashMap.newKeySet();

    /// @param opening makes the way to the server for a peer
    ModernEndpoint(Platform platform, Function<ServerMessageHandler, ReconnectingConnection> opening) {
        this(platform, opening, null);
    }

    /// @param loss tells the session whose server it is that its process was replaced; null if many share it
    ModernEndpoint(
            Platform platform,
            Function<ServerMessageHandler, ReconnectingConnection> opening,
            @Nullable StateLoss loss) {
        this.platform = platform;
        this.reconnectingConnection = opening.apply(this);
        this.loss = loss;
    }

    /// Connects, if nobody has.
    ReconnectingConnection.Welcome greet(Deadline deadline) {
        return reconnectingConnection.welcome(deadline);
    }

    /// The server is known to answer `server/discover`: each process that follows has to do so before it is
    /// called.
    ModernEndpoint opening() {
        reconnectingConnection.opening(DetectedEndpoint.question());
        return this;
    }

    /// Leaves the connection to another client of the server; null if there is none.
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
    public Outcome call(Call call) {
        boolean wantsLog = call.client().logLevel() != null;
        Outcome outcome = null;
        begin(call, wantsLog);
        try {
            outcome = reconnectingConnection.call(ModernFields.into(call));
        } finally {
            end(call, wantsLog, outcome);
        }
        if (call.request().method().equals("subscriptions/listen")) {
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

    /// The end of a subscription names the request that opened it, which has another id on the server's line.
    private static Outcome underItsId(RequestId id, Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered(Message.Answer answer))) {
            return outcome;
        }
        JsonView named = answer.frame().path("result", "_meta", ClientMetadata.SUBSCRIPTION_ID);
        return new Outcome.Answered(Message.Answer.of(
                Splice.of(answer.frame()).replace(named, id.json()).bytes()));
    }

    /// In this era servers do not ask; one that does breaks the protocol.
    @Override
    public boolean asked(ReplyHandler replyHandler, Message.Request request) {
        return false;
    }

    /// A log line belongs to a request, but over one line for all nothing says to which. If only one of them wants
    /// any, it is that one's.
    @Override
    public void told(Message.Notification notification) {
        Caller[] callers = wantLogs.toArray(Caller[]::new);
        if (callers.length == 1 && notification.method().equals("notifications/message")) {
            callers[0].told(notification);
        }
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        // Every call on it has been told.
    }

    @Override
    public ReconnectingConnection.Pulse pulse(long since, Duration limit) {
        Deadline deadline = new Deadline(limit, Duration.ZERO, platform.ticker());
        return reconnectingConnection.pulse(since, new Call(DetectedEndpoint.question(), deadline, Caller.SILENT));
    }

    @Override
    public boolean heardSince(long then) {
        return reconnectingConnection.heardSince(then);
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
