package dev.fusebox.client.http;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
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

/// A conversation over Streamable HTTP: each request is a POST of its own, made and answered on the caller's
/// thread. Thread-safe; only [#call] and [#listen] block.
///
/// ```
/// new --initialize answered--> agreed --session refused--> retired (no new calls; those that run may end)
///  '--------------- close() -------'------- close() ------> closed (those that run are cut)
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
    private final AtomicBoolean isPeerTold = new AtomicBoolean();
    private volatile ProtocolHeaders.@Nullable Agreed agreed;
    private volatile @Nullable ServerEventListener serverEventListener;
    private volatile long heardAt;

    StreamableHttpConnection(RemoteServer remote, ServerMessageHandler serverMessageHandler) {
        this.remote = remote;
        this.serverMessageHandler = serverMessageHandler;
        this.responseClassifier = remote.responseClassifier();
        this.unmatchedMessages = new UnmatchedMessages(remote.name());
        heard();
    }

    RemoteServer remote() {
        return remote;
    }

    /// What an answer that is none means; a wish of the server in it holds for all its connections.
    CallFailure failure(StreamingResponse streamingResponse, byte[] shown) {
        return remote.retryAfterGate().heed(responseClassifier.of(streamingResponse, shown));
    }

    ToolListObserver tools() {
        return tools;
    }

    ProtocolHeaders.@Nullable Agreed agreed() {
        return agreed;
    }

    // ---- Calls

    @Override
    public Outcome call(Call call) {
        CallFailure gone = lost.get();
        if (gone != null) {
            return new Outcome.Failed(gone.unsent());
        }
        try (RequestTimer keeper = RequestTimer.start(remote.platform(), call.deadline())) {
            notificationSender.awaitReady(keeper);
            String version = ProtocolHeaders.version(call.request().params());
            if (version == null) {
                return once(new HttpCall(this, call, keeper, null));
            }
            Outcome outcome = once(new HttpCall(this, call, keeper, version));
            boolean again = ToolListRefresh.helps(call, outcome) && ToolListRefresh.run(this, call, keeper);
            return again ? once(new HttpCall(this, call, keeper, version)) : outcome;
        }
    }

    Outcome once(HttpCall one) {
        pending.put(one.id(), one);
        try {
            // Whoever closed has ended all that was pending; this one may have come a moment later.
            CallFailure gone = lost.get();
            return gone == null ? one.run() : new Outcome.Failed(gone.unsent());
        } finally {
            pending.remove(one.id());
            tellPeer();
        }
    }

    /// The handshake was answered.
    void agree(ProtocolHeaders.Agreed with) {
        agreed = with;
    }

    void keepTask(HttpCall call, JsonView result) {
        tasks.keep(call.id(), call.progressToken(), result);
    }

    // ---- What nobody waits for

    @Override
    public void tell(byte[] notification) {
        notificationSender.tell(notification);
    }

    @Override
    public void answer(JsonView answer, RequestId question) {
        byte[] frame =
                Splice.of(answer).replace(answer.member("id"), question.json()).bytes();
        tell(JsonRpcFrames.onOneLine(frame));
    }

    // ---- From the server

    /// Hears what the server says on its own, from now on. Blocks for a moment, until the server has that stream
    /// too: what it says before is said to nobody.
    void listen() {
        ProtocolHeaders.Agreed with = agreed;
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

    /// Something that belongs to no call, as far as the server says.
    void receive(Message message) {
        switch (message) {
            case Message.Notification notification -> told(notification);
            case Message.Request request -> asked(request);
            case Message.Batch batch when hasBatches() -> batch.messages().forEach(this::receive);
            case Message.Batch batch -> unmatchedMessages.add();
            case Message.Answer stray -> unmatchedMessages.add();
            case Message.Malformed noise -> unmatchedMessages.add();
        }
    }

    private boolean hasBatches() {
        ProtocolHeaders.Agreed with = agreed;
        return with != null && Message.Batch.isIn(with.version());
    }

    private void told(Message.Notification notification) {
        if (notification.method().equals("notifications/progress")) {
            progressed(notification);
        } else {
            serverMessageHandler.told(notification);
        }
    }

    /// Progress goes to its call, on whatever stream it came.
    void progressed(Message.Notification notification) {
        JsonView token = notification.frame().path("params", "progressToken");
        RequestId read = token == null ? null : RequestId.read(token);
        long id = read == null ? -1 : read.number();
        JsonView ofTask = tasks.token(id);
        // Once it is known that a call became a task, its caller may be about to leave.
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
            serverMessageHandler.told(task);
        }
    }

    void withdrawn(Message.Notification notification) {
        serverMessageHandler.told(notification);
    }

    private void asked(Message.Request request) {
        if (!isPing(request) && !serverMessageHandler.asked(this, request)) {
            refuse(request);
        }
    }

    boolean isPing(Message.Request request) {
        boolean ping = request.method().equals("ping");
        if (ping) {
            tell(JsonRpcFrames.result(request.id(), "{}"));
        }
        return ping;
    }

    void refuse(Message.Request request) {
        String reason = "unsupported method " + request.method();
        tell(JsonRpcFrames.error(request.id(), JsonRpcErrorCode.METHOD_NOT_FOUND, reason, null));
    }

    void drop() {
        unmatchedMessages.add();
    }

    // ---- The end

    static CallFailure sessionLost(int status) {
        return new CallFailure(
                ErrorCode.SESSION_LOST,
                FailureCategory.OTHER,
                Delivery.REJECTED,
                "the server no longer knows the session (HTTP " + status + ")",
                Evidence.ofHttp(status, null));
    }

    /// No more calls; those that run may end.
    void retire(CallFailure why) {
        if (lost.compareAndSet(null, why)) {
            stopListening();
            tellPeer();
        }
    }

    /// Whoever asks the peer's client something is heard until the last call has ended.
    private void tellPeer() {
        CallFailure gone = lost.get();
        if (gone != null && pending.isEmpty() && isPeerTold.compareAndSet(false, true)) {
            serverMessageHandler.lost(this, gone);
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
    void heard() {
        heardAt = remote.platform().ticker().nanos();
    }

    @Override
    public long heardAt() {
        return heardAt;
    }

    @Override
    public long dropped() {
        return unmatchedMessages.count();
    }

    @Override
    public void close() {
        CallFailure closed =
                CallFailure.notSent(ErrorCode.CANCELLED, FailureCategory.LOCAL, "the connection was closed");
        boolean first = lost.compareAndSet(null, closed);
        List.copyOf(pending.values()).forEach(HttpCall::cut);
        stopListening();
        ProtocolHeaders.Agreed with = agreed;
        if (first && with != null && with.session() != null) {
            notificationSender.sayGoodbye(with);
        }
        tellPeer();
    }

    /// Why calls end that are cut by [#close]; null if it is not that.
    @Nullable
    CallFailure closedBecause() {
        CallFailure gone = lost.get();
        return gone != null && gone.code() == ErrorCode.CANCELLED ? gone : null;
    }
}
