package dev.fusebox.client;

import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.MessagePreview;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A connection over one wire in each direction, which matches answers to requests of all callers.
///
/// Every request gets an id and a progress token that this connection never reuses, so a late, duplicate or
/// invented answer matches no request. Thread-safe; only [#call] and [#awaitGone] block, the first at most
/// until the deadline of the call.
public final class WireConnection implements Connection, WireListener {
    private static final System.Logger LOG = LazyLoggers.of(WireConnection.class);

    /// Time to detect the exit of a server and its cause: at most 140 ms on an idle machine.
    private static final Duration LAST_MOMENT = Duration.ofSeconds(2);

    /// Time to read what has arrived while this process was suspended.
    private static final Duration UNREAD = Duration.ofSeconds(1);

    private static final CallFailure TOO_LATE = CallFailure.notSent(
            ErrorId.CALL_TIMEOUT,
            "timed out before the call could be sent; earlier calls of the client had not been sent yet");

    private static final List<String> HANDSHAKES = List.of("initialize", "server/discover");

    private final Platform platform;
    private final ServerMessageHandler serverMessageHandler;
    private final int maxDepth;
    private final AtomicLong lastId = new AtomicLong();
    private final ConcurrentMap<Long, PendingRequest> pending = new ConcurrentHashMap<>();
    private final UnmatchedMessages unmatchedMessages;
    private final NotificationRouter notifications;
    private volatile @Nullable Wire wire;
    private volatile @Nullable CallFailure lost;
    private volatile @Nullable String revision;
    private volatile long heardAt;

    /// @param server its name, for the log
    /// @param maxDepth bound on nesting; a deeper message is rejected
    public WireConnection(Platform platform, String server, ServerMessageHandler serverMessageHandler, int maxDepth) {
        this.platform = platform;
        this.serverMessageHandler = serverMessageHandler;
        this.maxDepth = maxDepth;
        this.unmatchedMessages = new UnmatchedMessages(server);
        this.notifications = new NotificationRouter(pending, serverMessageHandler, unmatchedMessages);
        this.heardAt = platform.ticker().nanos();
    }

    /// Sets the wire. To be called once, before the first call.
    public void attach(Wire opened) {
        wire = opened;
    }

    // ---- To the server

    @Override
    public Outcome call(Call call) {
        long id = lastId.incrementAndGet();
        PendingRequest pendingRequest = new PendingRequest(id, call);
        pending.put(id, pendingRequest);
        try {
            CallFailure unsent = send(pendingRequest);
            Outcome outcome = unsent == null ? pendingRequest.await(platform.timers()) : new Outcome.Failed(unsent);
            return outcome == null ? unanswered(pendingRequest) : outcome;
        } finally {
            pending.remove(id);
        }
    }

    /// Sends the request; returns why it was not sent, or null if it was.
    private @Nullable CallFailure send(PendingRequest pendingRequest) {
        String id = Long.toString(pendingRequest.id());
        byte[] frame = pendingRequest.call().frame(id, pendingRequest.progressToken());
        CallFailure unsent = sendInTurn(pendingRequest, JsonRpcFrames.onOneLine(frame));
        // A lost connection ends all pending requests; this one may have been added a moment later.
        CallFailure since = lost;
        if (unsent == null && since != null) {
            pendingRequest.end(new Outcome.Failed(since));
        }
        return unsent;
    }

    private Outcome unanswered(PendingRequest pendingRequest) {
        Duration standstill = pendingRequest.call().deadline().standstill();
        return standstill.isZero() ? giveUp(pendingRequest) : afterAll(pendingRequest, standstill);
    }

    /// Sends the request after those that the client sent before it; returns why it was not sent, or null if it
    /// was.
    private @Nullable CallFailure sendInTurn(PendingRequest pendingRequest, byte[] frame) {
        SendSlot slot = pendingRequest.call().slot();
        boolean isSent;
        try {
            if (!slot.isTurn() && !awaitTurn(slot, pendingRequest)) {
                return pendingRequest.call().deadline().isGivenUp() ? CallFailure.cancelledUnsent() : TOO_LATE;
            }
            isSent = lost == null && sent(frame);
        } finally {
            slot.release();
        }
        return isSent ? null : notSent(pendingRequest);
    }

    private boolean awaitTurn(SendSlot slot, PendingRequest pendingRequest) {
        Deadline deadline = pendingRequest.call().deadline();
        deadline.onChange(pendingRequest::wake);
        return slot.await(platform, deadline::left);
    }

    /// This process was suspended, and the answer may have come meanwhile: what waits in the pipe is read
    /// first.
    private Outcome afterAll(PendingRequest pendingRequest, Duration standstill) {
        try {
            platform.await(UNREAD, () -> pendingRequest.now() != null);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        Outcome outcome = pendingRequest.now();
        if (outcome != null) {
            return outcome;
        }
        giveUp(pendingRequest);
        return new Outcome.Failed(CallFailure.gatewaySuspended(standstill));
    }

    /// A server that has just died does not read either, and the cause of its death is known a moment later.
    private CallFailure notSent(PendingRequest pendingRequest) {
        Deadline deadline = pendingRequest.call().deadline();
        deadline.onChange(pendingRequest::wake);
        long nanos = Math.clamp(deadline.left(), 0, LAST_MOMENT.toNanos());
        try {
            platform.await(Duration.ofNanos(nanos), () -> lost != null || deadline.left() <= 0);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        CallFailure why = lost;
        if (why != null) {
            return why.unsent();
        }
        return deadline.isGivenUp()
                ? CallFailure.cancelledUnsent()
                : CallFailure.notSent(ErrorId.OVERLOADED, FailureCategory.LOCAL, "the server does not read its input");
    }

    private Outcome giveUp(PendingRequest pendingRequest) {
        boolean cancelled = pendingRequest.call().deadline().isGivenUp();
        // The handshake may not be cancelled (revision 2025-11-25, section "Cancellation").
        if (!pendingRequest.call().request().method().equals("initialize")) {
            sendCancelled(pendingRequest, cancelled ? "cancelled by the client" : "timed out waiting for the response");
        }
        return new Outcome.Failed(cancelled ? CallFailure.cancelled() : CallFailure.timeout(silence(pendingRequest)));
    }

    /// A handshake has no effect that matters to a caller.
    private static String silence(PendingRequest pendingRequest) {
        String method = pendingRequest.call().request().method();
        long millis = pendingRequest.call().deadline().limit().toMillis();
        return method + " timed out after " + time(millis)
                + (HANDSHAKES.contains(method) ? "" : "; the call may have been executed");
    }

    /// Milliseconds if not a whole number of seconds: a configured 1500 ms must not be reported as "1 s".
    private static String time(long millis) {
        return millis % 1000 == 0 && millis > 0 ? millis / 1000 + " s" : millis + " ms";
    }

    private void sendCancelled(PendingRequest pendingRequest, String reason) {
        String params = "{\"requestId\":" + pendingRequest.id() + ",\"reason\":\"" + reason + "\"}";
        sendOneWay(JsonRpcFrames.notification("notifications/cancelled", params));
    }

    @Override
    public void sendOneWay(byte[] notification) {
        if (!sent(notification)) {
            unmatchedMessages.add();
        }
    }

    private boolean sent(byte[] frame) {
        Wire known = wire;
        return known != null && known.send(frame);
    }

    @Override
    public void answer(JsonView answer, RequestId question) {
        sendOneWay(JsonRpcFrames.onOneLine(
                Splice.of(answer).replace(answer.member("id"), question.json()).bytes()));
    }

    // ---- From the server, on the reader thread

    @Override
    public void frame(byte[] buffer, int from, int to) {
        heardAt = platform.ticker().nanos();
        try {
            if (hasRoom(buffer, from, to)) {
                read(Arrays.copyOfRange(buffer, from, to));
            } else {
                MessagePreview seen = MessagePreview.of(buffer, from, to);
                skipped(seen, CallFailure.outOfMemory(), "not enough memory for the message");
            }
        } catch (RuntimeException | Error ours) {
            LOG.log(Level.ERROR, "failed to process a message of " + (to - from) + " bytes (internal error)", ours);
            CallFailure why = CallFailure.responseNotProcessed(to - from);
            skipped(MessagePreview.of(buffer, from, to), why, "internal error while processing the message");
        }
    }

    /// Whether memory allows a long answer, beside those of other calls.
    private boolean hasRoom(byte[] buffer, int from, int to) {
        if (to - from <= MemoryLease.FREE) {
            return true;
        }
        MessagePreview seen = MessagePreview.of(buffer, from, to);
        RequestId id = seen.id();
        PendingRequest pendingRequest = seen.answers() && id != null ? pending.get(id.number()) : null;
        return pendingRequest == null || pendingRequest.hasRoomFor(to - from);
    }

    private void read(byte[] frame) {
        Message message = Message.read(frame, maxDepth);
        if (message instanceof Message.Malformed) {
            unread(frame);
        } else {
            receive(message);
        }
    }

    /// A message that is only nested too deep fails its own call, at once.
    private void unread(byte[] frame) {
        unmatchedMessages.add();
        switch (Message.read(frame, frame.length)) {
            case Message.Answer answer -> {
                PendingRequest pendingRequest = pending.get(answer.id().number());
                if (pendingRequest != null) {
                    pendingRequest.end(new Outcome.Failed(CallFailure.tooDeep(maxDepth)));
                }
            }
            case Message.Request request -> {
                String why = "message nested deeper than " + maxDepth;
                sendOneWay(JsonRpcFrames.error(request.id(), JsonRpcErrorCode.INVALID_REQUEST, why, null));
            }
            case Message.Notification lost -> {}
            case Message.Batch lost -> {}
            case Message.Malformed noise -> onInvalidMessage(frame, noise);
        }
    }

    /// An invalid answer still ends its call if it has an id; any other line is counted as noise.
    private void onInvalidMessage(byte[] frame, Message.Malformed noise) {
        RequestId id = noise.id();
        PendingRequest pendingRequest = id == null ? null : pending.get(id.number());
        if (pendingRequest != null && MessagePreview.of(frame, new byte[0]).answers()) {
            pendingRequest.end(new Outcome.Failed(CallFailure.invalidResponse(noise.reason())));
        }
    }

    /// The ends of a message nearly always show which call it belongs to. Where they do not, the call ends by
    /// its deadline.
    @Override
    public void tooLong(MessagePreview seen, long bytes, long limit) {
        heardAt = platform.ticker().nanos();
        CallFailure why = bytes > limit ? CallFailure.tooLarge(bytes, limit) : CallFailure.responseNotProcessed(bytes);
        skipped(seen, why, "message of at least " + bytes + " bytes; the limit is " + limit);
    }

    /// @param refusal error for the server, if the message was a request
    private void skipped(MessagePreview seen, CallFailure why, String refusal) {
        unmatchedMessages.add();
        RequestId id = seen.id();
        if (seen.asks() && id != null) {
            sendOneWay(JsonRpcFrames.error(id, JsonRpcErrorCode.INVALID_REQUEST, refusal, null));
        }
        PendingRequest pendingRequest = seen.answers() && id != null ? pending.get(id.number()) : null;
        if (pendingRequest != null) {
            pendingRequest.end(new Outcome.Failed(why));
        }
    }

    /// The frame fails its own call; a notification is dropped.
    @Override
    public void refused(byte[] frame, CallFailure failure) {
        PendingRequest pendingRequest = Message.read(frame) instanceof Message.Request request
                ? pending.get(request.id().number())
                : null;
        if (pendingRequest == null) {
            unmatchedMessages.add();
        } else {
            pendingRequest.end(new Outcome.Failed(failure));
        }
    }

    private void receive(Message message) {
        if (message instanceof Message.Answer answer) {
            onResponse(answer);
        } else if (message instanceof Message.Notification notification) {
            notifications.route(notification);
        } else if (message instanceof Message.Request request) {
            onRequest(request);
        } else if (message instanceof Message.Batch batch) {
            received(batch);
        } else {
            unmatchedMessages.add();
        }
    }

    private void received(Message.Batch batch) {
        if (Message.Batch.isIn(revision)) {
            batch.messages().forEach(this::receive);
        } else {
            refuse(batch);
        }
    }

    /// Batches were removed (revision 2025-06-18, changelog). The calls that a batch answers end at once.
    private void refuse(Message.Batch batch) {
        unmatchedMessages.add();
        batch.messages().forEach(message -> {
            PendingRequest pendingRequest = message instanceof Message.Answer answer
                    ? pending.get(answer.id().number())
                    : null;
            if (pendingRequest != null) {
                pendingRequest.end(new Outcome.Failed(CallFailure.batched(revision)));
            }
        });
    }

    private void onResponse(Message.Answer answer) {
        PendingRequest pendingRequest = pending.get(answer.id().number());
        if (pendingRequest == null) {
            unmatchedMessages.add();
            return;
        }
        JsonView result = answer.result();
        if (result != null) {
            negotiated(pendingRequest, result);
            notifications.noteResult(pendingRequest, result);
        }
        pendingRequest.end(Outcome.of(answer, pendingRequest.call().request()));
    }

    private void negotiated(PendingRequest pendingRequest, JsonView result) {
        if (pendingRequest.call().request().method().equals("initialize")) {
            revision = result.string("protocolVersion");
        }
    }

    private void onRequest(Message.Request request) {
        if (request.method().equals("ping")) {
            sendOneWay(JsonRpcFrames.result(request.id(), "{}"));
        } else if (!serverMessageHandler.onRequest(this, request)) {
            sendOneWay(JsonRpcFrames.error(
                    request.id(), JsonRpcErrorCode.METHOD_NOT_FOUND, "unsupported method " + request.method(), null));
        }
    }

    // ---- Close

    /// Fails every pending call.
    @Override
    public void lost(CallFailure failure) {
        if (lost != null) {
            return;
        }
        CallFailure seen = failure.of(Evidence.Extent.CONNECTION);
        lost = seen;
        // First, so that the loss is counted before the calls fail.
        serverMessageHandler.lost(this, seen);
        List.copyOf(pending.values()).forEach(pendingRequest -> pendingRequest.end(new Outcome.Failed(seen)));
        unmatchedMessages.end();
    }

    @Override
    public List<Deadline> inFlight() {
        return pending.values().stream()
                .filter(pendingRequest -> pendingRequest.now() == null)
                .map(pendingRequest -> pendingRequest.call().deadline())
                .toList();
    }

    @Override
    public boolean isAlive() {
        return lost == null;
    }

    @Override
    public @Nullable Long process() {
        Wire known = wire;
        return known == null ? null : known.process();
    }

    @Override
    public boolean awaitGone(Duration limit) throws InterruptedException {
        Wire known = wire;
        return known == null || known.awaitGone(limit);
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
        Wire known = wire;
        if (known != null) {
            known.close();
        }
    }
}
