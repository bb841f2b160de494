package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ConnectionOwner;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Principal;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.ProtocolRevision;
import dev.fusebox.gateway.session.ResultFormat;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The server of one legacy session, regardless of the server's era. Thread-safe; [#initialize] and [#call] block.
///
/// A legacy client begins with a handshake, and so does a legacy server: the client's messages pass unchanged.
/// Only a server that refuses the handshake is probed for the modern era.
final class SessionServer implements ClientConversation {
    private final Platform platform;
    private final FrontTarget frontTarget;
    private final ServerMessageHandler serverMessageHandler;
    private final ReconnectingConnection connection;
    private final StateLoss loss;
    private final PassThrough passThrough;
    private volatile @Nullable LegacyBridge bridge;
    private volatile ProtocolRevision revision = ProtocolRevision.NEWEST;

    SessionServer(Platform platform, SingleServer server, ServerMessageHandler serverMessageHandler) {
        this.platform = platform;
        this.frontTarget = server.frontTarget();
        this.serverMessageHandler = serverMessageHandler;
        this.loss = new StateLoss(
                frontTarget.settings().server(),
                frontTarget.connectionGovernor().listener(),
                null);
        ConnectionOwner owner = new ConnectionOwner(Principal.OWNER, serverMessageHandler);
        this.connection = loss.over(frontTarget.behind(connector -> connector.owned(owner)))
                .plain(platform, serverMessageHandler);
        this.passThrough = new PassThrough(server, new ConnectionLiveness(), this::resultFormat);
    }

    /// Forwards the client's handshake.
    @Override
    public Outcome initialize(Call initialize) {
        return passThrough.call(initialize, this::shakeHands);
    }

    private Outcome shakeHands(Call initialize) {
        if (frontTarget.era() != EraPolicy.STATELESS) {
            Outcome outcome = connection.call(initialize);
            boolean isRefused = outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() == null;
            if (!isRefused || frontTarget.era() == EraPolicy.SESSION) {
                return outcome;
            }
            Outcome modern = greetStateless(initialize);
            return bridge == null ? outcome : modern;
        }
        return greetStateless(initialize);
    }

    private Outcome greetStateless(Call initialize) {
        JsonView handshake = initialize.request().params();
        LegacyBridge candidate = new LegacyBridge(
                platform,
                call -> connection.call(ModernFields.into(call)),
                new LegacyBridge.Client(handshake, null, serverMessageHandler::onNotification));
        Outcome outcome = candidate.initialize(initialize.request(), initialize.deadline());
        if (outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null) {
            bridge = candidate;
        }
        return outcome;
    }

    /// Notes the revision that the client's handshake has negotiated. A modern server needs none when it is
    /// restarted.
    @Override
    public void initialized(Message.Request initialize, @Nullable String version) {
        revision = ProtocolRevision.dated(version).orElse(ProtocolRevision.NEWEST);
        if (bridge == null) {
            connection.initialized(initialize, version);
        }
    }

    private ResultFormat resultFormat() {
        return revision.hasStructuredContent() ? ResultFormat.SESSION : ResultFormat.TEXT_ONLY;
    }

    /// Makes a call of the client.
    @Override
    public Outcome call(Call call) {
        LegacyBridge between = bridge;
        Outcome outcome = null;
        loss.begin(call);
        try {
            outcome = passThrough.call(call, between == null ? connection::call : between::call);
        } finally {
            loss.end(call, outcome);
        }
        return loss.report(call, outcome);
    }

    /// The liveness of the session's own connection.
    private final class ConnectionLiveness implements Liveness {
        @Override
        public HealthCheckResult checkHealth(long since, Duration limit) {
            Deadline deadline = new Deadline(limit, Duration.ZERO, platform.ticker());
            Message.Request question = bridge == null ? LegacyEndpoint.question() : DetectedEndpoint.question();
            return connection.checkHealth(since, new Call(question, deadline, Caller.SILENT));
        }

        @Override
        public boolean hasReceivedSince(long then) {
            return connection.hasReceivedSince(then);
        }

        @Override
        public void disconnect() {
            connection.disconnect();
        }
    }

    /// Forwards a notification of the client. A modern server gets none; when the client is ready, its
    /// subscription begins.
    @Override
    public void onClientNotification(Message.Notification notification) {
        LegacyBridge between = bridge;
        if (between == null) {
            connection.sendNotification(
                    JsonRpcFrames.onOneLine(notification.frame().bytes()));
        } else if (notification.method().equals("notifications/initialized")) {
            between.begin();
        }
    }

    /// Ends the connection; the next call opens another.
    @Override
    public void disconnect() {
        connection.disconnect();
    }

    /// Ends the connection for good.
    @Override
    public void close() {
        LegacyBridge between = bridge;
        if (between != null) {
            between.close();
        }
        connection.close();
    }
}
