package dev.fusebox.gateway.routing;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.StateLossCause;
import dev.fusebox.gateway.era.ClientConversation;
import dev.fusebox.gateway.era.LegacyBridge;
import dev.fusebox.gateway.session.ClientHistory;
import dev.fusebox.gateway.session.ProtocolRevision;
import dev.fusebox.gateway.session.SessionState;
import dev.fusebox.gateway.upstream.RequestOrigin;
import dev.fusebox.gateway.upstream.ServerQuestionLabels;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The session of a legacy client with all servers. The gateway answers the handshake without waiting for any
/// of them. Thread-safe; [#call] blocks.
final class GatewaySession implements ClientConversation, ClientSession {
    /// Most server names in one message.
    private static final int MAX_NAMED = 5;

    private final Platform platform;
    private final UpstreamServers servers;
    private final Router router;
    private final SessionState state;
    private final ServerMessageHandler serverMessageHandler;

    /// Deadlines of the calls in flight, which end with the session and return their permits.
    private final Set<Deadline> ongoing = ConcurrentHashMap.newKeySet();

    /// Whether the client was notified which servers send it no log messages outside of calls.
    private final AtomicBoolean toldOfShared = new AtomicBoolean();

    private volatile ProtocolRevision revision = ProtocolRevision.NEWEST;
    private volatile boolean closed;
    private volatile @Nullable LegacyBridge bridge;

    GatewaySession(
            UpstreamServers servers, Router router, ClientHistory history, ServerMessageHandler serverMessageHandler) {
        this.platform = servers.platform();
        this.servers = servers;
        this.router = router;
        this.state = new SessionState(history);
        this.serverMessageHandler = serverMessageHandler;
    }

    @Override
    public Outcome initialize(Call initialize) {
        LegacyBridge made = new LegacyBridge(
                platform,
                this::route,
                new LegacyBridge.Client(initialize.request().params(), this, serverMessageHandler::onNotification));
        bridge = made;
        servers.clientSessions().arrived(made.client());
        return made.initialize(initialize.request(), initialize.deadline());
    }

    private Outcome route(Call call) {
        return router.call(call, new RequestOrigin(call.client(), this));
    }

    @Override
    public boolean isHere() {
        return !closed;
    }

    @Override
    public boolean isLegacy() {
        return true;
    }

    /// Only the revision is kept: the gateway performs the handshakes with servers itself.
    @Override
    public void initialized(Message.Request initialize, @Nullable String version) {
        revision = ProtocolRevision.dated(version).orElse(ProtocolRevision.NEWEST);
    }

    @Override
    public boolean readsStructuredContent() {
        return revision.hasStructuredContent();
    }

    @Override
    public Outcome call(Call call) {
        LegacyBridge between = Objects.requireNonNull(bridge, "there is no call before the handshake");
        ongoing.add(call.deadline());
        try {
            if (closed) {
                call.deadline().giveUp();
            }
            Outcome outcome = between.answer(call);
            Call first = call.of(between.client());
            Call asked = first;
            RequestOrigin from = new RequestOrigin(first.client(), this);
            for (int round = 1; outcome == null; round++) {
                switch (between.next(first, router.call(asked, from), round)) {
                    case LegacyBridge.Round.Ended(Outcome ended) -> outcome = ended;
                    case LegacyBridge.Round.Next(Call again) -> asked = again;
                }
            }
            if (call.request().method().equals("logging/setLevel") && isResult(outcome)) {
                levelChanged();
            }
            return outcome instanceof Outcome.Failed(CallFailure failure)
                    ? router.failed(call, failure, this)
                    : outcome;
        } finally {
            ongoing.remove(call.deadline());
        }
    }

    private static boolean isResult(Outcome outcome) {
        return outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null;
    }

    // ---- Messages of the session's own server processes outside of calls

    @Override
    public @Nullable String logLevel() {
        LegacyBridge between = bridge;
        return between == null ? null : between.logLevel();
    }

    private void levelChanged() {
        servers.clientSessions().levelChanged(this);
        List<String> shared = servers.servers().stream()
                .filter(upstreamServer -> !upstreamServer.sessions().logsTo(this))
                .map(UpstreamServer::id)
                .toList();
        if (!shared.isEmpty() && toldOfShared.compareAndSet(false, true)) {
            serverMessageHandler.onNotification(
                    Message.Notification.of(JsonRpcFrames.notification("notifications/message", unheard(shared))));
        }
    }

    private static String unheard(List<String> shared) {
        String named = String.join(", ", shared.subList(0, Math.min(MAX_NAMED, shared.size())));
        String more = shared.size() > MAX_NAMED ? " and " + (shared.size() - MAX_NAMED) + " more servers" : "";
        String why = "log messages outside of calls are not delivered from " + named + more
                + ": clients share its processes, and a message does not name its client; \"isolation\": \"session\""
                + " gives each session its own process";
        return "{\"level\":\"warning\",\"logger\":\"fusebox\",\"data\":" + JsonWriter.quoted(why) + "}";
    }

    /// Request ids are unique per server only.
    private static RequestId idHere(String server, RequestId asked) {
        return RequestId.of(server + "/" + asked.json());
    }

    @Override
    public boolean onRequest(String server, ReplyHandler replyHandler, Message.Request question) {
        Message.Request labelled = ServerQuestionLabels.of(server, question);
        byte[] frame = Splice.of(labelled.frame())
                .replace(
                        labelled.frame().member("id"),
                        idHere(server, question.id()).json())
                .bytes();
        return serverMessageHandler.askedOutsideOfCalls(replyHandler, Message.Request.of(frame));
    }

    @Override
    public void leavesState(String server, long generation) {
        state.note(server, generation);
    }

    @Override
    public @Nullable StateLossCause takeStateLoss(String server, long generation) {
        return state.takeLoss(server, generation);
    }

    @Override
    public void lost(String server) {
        servers.clientSessions().lost(this, server);
    }

    @Override
    public boolean listsChanged(List<String> methods) {
        LegacyBridge between = bridge;
        boolean seesApps = between != null && servers.extensions().listsApps(between.client());
        if (!servers.exposurePolicy().hasAll() && !seesApps) {
            // It sees no lists of servers.
            return true;
        }
        methods.forEach(method ->
                serverMessageHandler.onNotification(Message.Notification.of(JsonRpcFrames.notification(method, null))));
        return true;
    }

    @Override
    public void onNotification(String server, Message.Notification notification) {
        JsonView id = notification.frame().path("params", "requestId");
        RequestId withdrawn = id == null ? null : RequestId.read(id);
        if (notification.method().endsWith("/list_changed")) {
            servers.clientSessions().onNotification(this, server, notification);
        } else if (notification.method().equals("notifications/cancelled") && withdrawn != null) {
            byte[] frame = Splice.of(notification.frame())
                    .replace(id, idHere(server, withdrawn).json())
                    .bytes();
            serverMessageHandler.onNotification(Message.Notification.of(frame));
        } else if (notification.method().equals("notifications/message")) {
            serverMessageHandler.onNotification(notification);
        }
    }

    @Override
    public void onClientNotification(Message.Notification notification) {
        LegacyBridge between = bridge;
        switch (notification.method()) {
            case "notifications/initialized" -> {
                if (between != null) {
                    between.begin();
                }
            }
            case "notifications/roots/list_changed" ->
                servers.clientSessions()
                        .forwardNotification(
                                this,
                                JsonRpcFrames.onOneLine(notification.frame().bytes()));
            default -> {}
        }
    }

    @Override
    public boolean holdsState() {
        return servers.servers().stream().anyMatch(server -> server.sessions().holdsStateOf(this));
    }

    @Override
    public void disconnect() {
        // Servers are shared and stay open.
    }

    @Override
    public void close() {
        closed = true;
        ongoing.forEach(Deadline::giveUp);
        LegacyBridge between = bridge;
        if (between != null) {
            between.close();
        }
        servers.clientSessions().left(this);
        servers.views().left(this);
        servers.lastReadApps().left(this);
    }
}
