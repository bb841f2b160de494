package dev.fusebox.client.http;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.TaskProgressTokens;
import dev.fusebox.client.UnmatchedMessages;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Connection over Streamable HTTP: each request is a POST of its own, sent and answered on the thread of the
/// caller. Thread-safe; only [#call] and [#listen] block.
///
/// ```
/// new --initialize answered--> agreed --session rejected--> retired (no new calls; running ones may end)
///  '--------------- close() -------'------- close() -------> closed  (running calls are aborted)
/// ```
final class StreamableHttpConnection implements Connection {
    private final RemoteServer remote;
    private final ServerMessageHandler serverMessageHandler;
    private final ResponseClassifier responseClassifier;
    private final ToolListObserver tools = new ToolListObserver();
    private final TaskProgressTokens tasks = new TaskProgressTokens();
    private final ConcurrentMap<Long, HttpCall> pending = new ConcurrentHashMap<>();
    private final UnmatchedMessages unmatchedMessages;
    private final NotificationSender notificationSender = new NotificationSender(this);
    private final AtomicReference<@Nullable CallFailure> lost = new AtomicReference<>();
    private final AtomicBoolean isLossReported = new AtomicBoolean();
    private volatile ProtocolHeaders.@Nullable SessionHeaders negotiatedSession;
    private volatile @Nullable ServerEventListener serverEventListener;
    private volatile long heardAt;

    StreamableHttpConnection(RemoteServer remote, ServerMessageHandler serverMessageHandler) {
        this.remote = remote;
        this.serverMessageHandler = serverMessageHandler;
        this.responseClassifier = remote.responseClassifier();
        this.unmatchedMessages = new UnmatchedMessages(remote.name());
        recordActivity();
    }

    RemoteServer remote() {
        return remote;
    }

    /// The failure for a response without a message; a pause that it asks for applies to all connections of the
    /// server.
    CallFailure failure(StreamingResponse streamingResponse, byte[] shown) {
        return remote.retryAfterGate().record(responseClassifier.of(streamingResponse, shown));
    }

    ToolListObserver tools() {
        return tools;
    }

    ProtocolHeaders.@Nullable SessionHeaders negotiatedSession() {
        return negotiatedSession;
    }

    // ---- Calls

    @Override
    public Outcome call(Call made) {
        CallFailure failure = lost.get();
        if (failure != null) {
            return new Outcome.Failed(failure.unsent());
        }
        // Headers of a modern request repeat members of its body.
        boolean isModern =
                made.isExtended() || ProtocolHeaders.version(made.request().params()) != null;
        Call call = isModern ? made.settled() : made;
        try (RequestTimer timer = RequestTimer.start(remote.platform(), call.deadline())) {
            notificationSender.awaitInitialized(timer);
            String version = ProtocolHeaders.version(call.request().params());
            if (version == null) {
                return exchange(new HttpCall(this, call, timer, null));
            }
            Outcome outcome = exchange(new HttpCall(this, call, timer, version));
            boolean again = ToolListRefresh.applies(call, outcome) && ToolListRefresh.run(this, call, timer);
            return again ? exchange(new HttpCall(this, call, timer, version)) : outcome;
        }
    }

    Outcome exchange(HttpCall one) {
        pending.put(one.id(), one);
        try {
            // A concurrent close has aborted all pending calls; this one may have been added a moment later.
            CallFailure failure = lost.get();
            return failure == null ? one.run() : new Outcome.Failed(failure.unsent());
        } finally {
            pending.remove(one.id());
            reportLoss();
        }
    }

    /// The handshake was answered.
    void agree(ProtocolHeaders.SessionHeaders with) {
        negotiatedSession = with;
    }

    void keepTask(HttpCall call, JsonView result) {
        tasks.keep(call.id(), call.progressToken(), result);
    }

    // ---- Messages without a response

    @Override
    public void sendOneWay(byte[] notification) {
        notificationSender.submit(notification);
    }

    @Override
    public void answer(JsonView answer, RequestId question) {
        byte[] frame =
                Splice.of(answer).replace(answer.member("id"), question.json()).bytes();
        sendOneWay(JsonRpcFrames.onOneLine(frame));
    }

    // ---- From the server

    /// Opens the event stream for messages of the server on its own. Blocks for a second at most, until the server
    /// has opened the stream, since it would drop earlier messages.
    void listen() {
        ProtocolHeaders.SessionHeaders with = negotiatedSession;
        if (with == null || lost.get() != null || serverEventListener != null) {
            return;
        }
        ServerEventListener stream = new ServerEventListener(this, with);
        serverEventListener = stream;
        stream.start();
        if (lost.get() != null) {
            stream.close();
        }
        stream.awaitBegun();
    }

    /// Handles a message that the server assigns to no call.
    void receive(Message message) {
        switch (message) {
            case Message.Notification notification -> onNotification(notification);
            case Message.Request request -> onRequest(request);
            case Message.Batch batch when hasBatches() -> batch.messages().forEach(this::receive);
            case Message.Batch batch -> unmatchedMessages.add();
            case Message.Answer stray -> unmatchedMessages.add();
            case Message.Malformed noise -> unmatchedMessages.add();
        }
    }

    private boolean hasBatches() {
        ProtocolHeaders.SessionHeaders with = negotiatedSession;
        return with != null && Message.Batch.isIn(with.version());
    }

    private void onNotification(Message.Notification notification) {
        if (notification.method().equals("notifications/progress")) {
            progressed(notification);
        } else {
            serverMessageHandler.onNotification(notification);
        }
    }

    /// Passes progress to its call, from whatever stream.
    void progressed(Message.Notification notification) {
        JsonView token = notification.frame().path("params", "progressToken");
        RequestId read = token == null ? null : RequestId.read(token);
        long id = read == null ? -1 : read.number();
        JsonView ofTask = tasks.token(id);
        // Once a call is known to be a task, its caller may be about to return.
        HttpCall call = ofTask == null ? pending.get(id) : null;
        JsonView given = call == null ? ofTask : call.progressToken();
        if (given == null) {
            unmatchedMessages.add();
            return;
        }
        byte[] restored =
                Splice.of(notification.frame()).replace(token, given.json()).bytes();
        if (call != null) {
            call.progress(restored);
        } else if (Message.read(restored) instanceof Message.Notification task) {
            serverMessageHandler.onNotification(task);
        }
    }

    void onCancelled(Message.Notification notification) {
        serverMessageHandler.onNotification(notification);
    }

    private void onRequest(Message.Request request) {
        if (!isPing(request) && !serverMessageHandler.onRequest(this, request)) {
            refuse(request);
        }
    }

    boolean isPing(Message.Request request) {
        boolean ping = request.method().equals("ping");
        if (ping) {
            sendOneWay(JsonRpcFrames.result(request.id(), "{}"));
        }
        return ping;
    }

    void refuse(Message.Request request) {
        String reason = "unsupported method " + request.method();
        sendOneWay(JsonRpcFrames.error(request.id(), JsonRpcErrorCode.METHOD_NOT_FOUND, reason, null));
    }

    void countDropped() {
        unmatchedMessages.add();
    }

    // ---- The end

    static CallFailure sessionLost(int status) {
        return new CallFailure(
                ErrorId.SESSION_LOST,
                FailureCategory.OTHER,
                Delivery.REJECTED,
                "the server no longer knows the session (HTTP " + status + ")",
                Evidence.ofHttp(status, null));
    }

    /// Rejects new calls; running ones may end.
    void retire(CallFailure why) {
        if (lost.compareAndSet(null, why)) {
            stopListening();
            reportLoss();
        }
    }

    /// Reports the loss after the last call, since until then the server may send requests to the client.
    private void reportLoss() {
        CallFailure failure = lost.get();
        if (failure != null && pending.isEmpty() && isLossReported.compareAndSet(false, true)) {
            serverMessageHandler.lost(this, failure);
            unmatchedMessages.end();
        }
    }

    private void stopListening() {
        ServerEventListener stream = serverEventListener;
        if (stream != null) {
            stream.close();
        }
    }

    @Override
    public boolean isAlive() {
        return lost.get() == null;
    }

    /// The server has sent something.
    void recordActivity() {
        heardAt = remote.platform().ticker().nanos();
    }

    @Override
    public long lastReceivedAt() {
        return heardAt;
    }

    @Override
    public long dropped() {
        return unmatchedMessages.count();
    }

    @Override
    public void close() {
        CallFailure closed = CallFailure.notSent(ErrorId.CANCELLED, FailureCategory.LOCAL, "the connection was closed");
        boolean first = lost.compareAndSet(null, closed);
        List.copyOf(pending.values()).forEach(HttpCall::abort);
        stopListening();
        ProtocolHeaders.SessionHeaders with = negotiatedSession;
        if (first && with != null && with.session() != null) {
            notificationSender.deleteSession(with);
        }
        reportLoss();
    }

    /// Why calls are aborted by [#close]; null if they are not.
    @Nullable
    CallFailure closedBecause() {
        CallFailure failure = lost.get();
        return failure != null && failure.code() == ErrorCode.CANCELLED ? failure : null;
    }
}
