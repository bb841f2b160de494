package dev.fusebox.client;

import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.MessagePreview;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import dev.fusebox.world.Loggers;
import dev.fusebox.world.World;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A conversation over one line in each direction: matches answers to requests, whoever sent them.
///
/// Every request gets an id and a progress token of this connection, never used again while it lives, so a late,
/// double or invented answer finds nobody. Thread-safe; only [#call] and [#awaitGone] block, the first as
/// long as the caller has patience.
public final class WireConnection implements Connection, WireListener {
    private static final System.Logger LOG = Loggers.of(WireConnection.class);

    /// By then it is known that a server has died, and how: that takes 140 ms at most on a machine that is not
    /// busy. What is noticed later counts against nobody.
    private static final Duration LAST_MOMENT = Duration.ofSeconds(2);

    /// What has come while this process stood still is read sooner.
    private static final Duration UNREAD = Duration.ofSeconds(1);

    private static final CallFailure TOO_LATE = CallFailure.notSent(
            ErrorCode.TIMEOUT,
            "timed out before the call could be sent; earlier calls of the client had not been sent yet");

    private static final List<String> HANDSHAKES = List.of("initialize", "server/discover");
    private static final String SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

    private final World world;
    private final Peer peer;
    private final int maxDepth;
    private final AtomicLong lastId = new AtomicLong();
    private final ConcurrentMap<Long, Exchange> pending = new ConcurrentHashMap<>();
    private final TaskTokens tasks = new TaskTokens();
    private final Strays strays;
    private volatile @Nullable Wire wire;
    private volatile @Nullable CallFailure lost;
    private volatile @Nullable String revision;
    private volatile long heardAt;

    /// @param server its name, for the log
    /// @param maxDepth what is nested deeper is no message
    public WireConnection(World world, String server, Peer peer, int maxDepth) {
        this.world = world;
        this.peer = peer;
        this.maxDepth = maxDepth;
        this.strays = new Strays(server);
        this.heardAt = world.ticker().nanos();
    }

    /// To be called once, before the first call.
    public void attach(Wire opened) {
        wire = opened;
    }

    // ---- Towards the server

    @Override
    public Outcome call(Call call) {
        long id = lastId.incrementAndGet();
        JsonView frame = call.request().frame();
        JsonView token = frame.path("params", "_meta", "progressToken");
        Exchange exchange = new Exchange(id, call, token);
        pending.put(id, exchange);
        try {
            return send(exchange, frame, token);
        } finally {
            pending.remove(id);
        }
    }

    private Outcome send(Exchange exchange, JsonView frame, @Nullable JsonView token) {
        String id = Long.toString(exchange.id());
        byte[] spliced = Splice.of(frame)
                .replace(frame.member("id"), id)
                .replace(token, id)
                .bytes();
        CallFailure unsent = sendInTurn(exchange, JsonRpcFrames.onOneLine(spliced));
        if (unsent != null) {
            return new Outcome.Failed(unsent);
        }
        // Whoever lost the connection has ended all that was pending; this one may have come a moment later.
        CallFailure since = lost;
        if (since != null) {
            exchange.end(new Outcome.Failed(since));
        }
        Outcome outcome = exchange.await(world.timers());
        if (outcome != null) {
            return outcome;
        }
        Duration standstill = exchange.call().patience().standstill();
        return standstill.isZero() ? giveUp(exchange) : afterAll(exchange, standstill);
    }

    /// Sends the request after those that the client sent before it. Gives why it was not sent; null if it was.
    private @Nullable CallFailure sendInTurn(Exchange exchange, byte[] frame) {
        SendSlot slot = exchange.call().slot();
        boolean isSent;
        try {
            if (!slot.isTurn() && !awaitTurn(slot, exchange)) {
                return exchange.call().patience().isGivenUp() ? CallFailure.cancelledUnsent() : TOO_LATE;
            }
            isSent = lost == null && sent(frame);
        } finally {
            slot.leave();
        }
        return isSent ? null : notSent(exchange);
    }

    private boolean awaitTurn(SendSlot slot, Exchange exchange) {
        Patience patience = exchange.call().patience();
        patience.onChange(exchange::wake);
        return slot.await(world, patience::left);
    }

    /// This process stood still, and the answer may have come meanwhile: what waits in the pipe is read first.
    private Outcome afterAll(Exchange exchange, Duration standstill) {
        try {
            world.await(UNREAD, () -> exchange.now() != null);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        Outcome outcome = exchange.now();
        if (outcome != null) {
            return outcome;
        }
        giveUp(exchange);
        return new Outcome.Failed(CallFailure.stoodStill(standstill));
    }

    /// A server that has just died does not read, either, and how it died is known a moment later.
    private CallFailure notSent(Exchange exchange) {
        Patience patience = exchange.call().patience();
        patience.onChange(exchange::wake);
        long nanos = Math.clamp(patience.left(), 0, LAST_MOMENT.toNanos());
        try {
            world.await(Duration.ofNanos(nanos), () -> lost != null || patience.left() <= 0);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        CallFailure why = lost;
        if (why != null) {
            return why.unsent();
        }
        return patience.isGivenUp()
                ? CallFailure.cancelledUnsent()
                : CallFailure.notSent(
                        ErrorCode.OVERLOADED, FailureCategory.LOCAL, "the server does not read what it is sent");
    }

    private Outcome giveUp(Exchange exchange) {
        boolean cancelled = exchange.call().patience().isGivenUp();
        // The handshake may not be cancelled (revision 2025-11-25, section "Cancellation").
        if (!exchange.call().request().method().equals("initialize")) {
            tellCancelled(exchange, cancelled ? "cancelled by the client" : "no answer in time");
        }
        return new Outcome.Failed(cancelled ? CallFailure.cancelled() : CallFailure.timeout(silence(exchange)));
    }

    /// A handshake has no effect that a caller could need to know of.
    private static String silence(Exchange exchange) {
        String method = exchange.call().request().method();
        long millis = exchange.call().patience().limit().toMillis();
        return "no answer to " + method + " within " + time(millis)
                + (HANDSHAKES.contains(method) ? "" : "; what it did is not known");
    }

    /// Whoever gave it 1500 ms would look for another clock at "1 s".
    private static String time(long millis) {
        return millis % 1000 == 0 && millis > 0 ? millis / 1000 + " s" : millis + " ms";
    }

    private void tellCancelled(Exchange exchange, String reason) {
        String params = "{\"requestId\":" + exchange.id() + ",\"reason\":\"" + reason + "\"}";
        tell(JsonRpcFrames.notification("notifications/cancelled", params));
    }

    @Override
    public void tell(byte[] notification) {
        if (!sent(notification)) {
            strays.add();
        }
    }

    private boolean sent(byte[] frame) {
        Wire known = wire;
        return known != null && known.send(frame);
    }

    @Override
    public void answer(JsonView answer, RequestId question) {
        tell(JsonRpcFrames.onOneLine(
                Splice.of(answer).replace(answer.member("id"), question.json()).bytes()));
    }

    // ---- From the server, on the reader thread

    @Override
    public void frame(byte[] buffer, int from, int to) {
        heardAt = world.ticker().nanos();
        try {
            if (hasRoom(buffer, from, to)) {
                read(Arrays.copyOfRange(buffer, from, to));
            } else {
                skipped(
                        MessagePreview.of(buffer, from, to),
                        CallFailure.noRoom(),
                        "a message that there is no memory for");
            }
        } catch (RuntimeException | Error ours) {
            LOG.log(Level.ERROR, "a message of " + (to - from) + " bytes could not be taken in", ours);
            skipped(
                    MessagePreview.of(buffer, from, to),
                    CallFailure.notTaken(to - from),
                    "a message that could not be taken in");
        }
    }

    /// Of a long answer, with those that others wait for.
    private boolean hasRoom(byte[] buffer, int from, int to) {
        if (to - from <= Ration.FREE) {
            return true;
        }
        MessagePreview seen = MessagePreview.of(buffer, from, to);
        RequestId id = seen.id();
        Exchange exchange = seen.answers() && id != null ? pending.get(id.number()) : null;
        return exchange == null || exchange.hasRoomFor(to - from);
    }

    private void read(byte[] frame) {
        Message message = Message.read(frame, maxDepth);
        if (message instanceof Message.Malformed) {
            unread(frame);
        } else {
            receive(message);
        }
    }

    /// What is a message but for its depth costs its own call, at once.
    private void unread(byte[] frame) {
        strays.add();
        switch (Message.read(frame, frame.length)) {
            case Message.Answer answer -> {
                Exchange exchange = pending.get(answer.id().number());
                if (exchange != null) {
                    exchange.end(new Outcome.Failed(CallFailure.tooDeep(maxDepth)));
                }
            }
            case Message.Request request -> {
                String why = "a message that is nested deeper than " + maxDepth;
                tell(JsonRpcFrames.error(request.id(), JsonRpcErrorCode.INVALID_REQUEST, why, null));
            }
            case Message.Notification lost -> {}
            case Message.Batch lost -> {}
            case Message.Malformed noise -> garbled(frame, noise);
        }
    }

    /// An answer that breaks the rules is one all the same if it says to what; any other line is noise.
    private void garbled(byte[] frame, Message.Malformed noise) {
        RequestId id = noise.id();
        Exchange exchange = id == null ? null : pending.get(id.number());
        if (exchange != null && MessagePreview.of(frame, new byte[0]).answers()) {
            exchange.end(new Outcome.Failed(CallFailure.garbled(noise.reason())));
        }
    }

    /// Whose answer it was is told by its ends, nearly always. If not, nobody can tell, and the call ends with its
    /// time.
    @Override
    public void tooLong(MessagePreview seen, long bytes, long limit) {
        heardAt = world.ticker().nanos();
        CallFailure why = bytes > limit ? CallFailure.tooLarge(bytes, limit) : CallFailure.notTaken(bytes);
        skipped(seen, why, "a message of at least " + bytes + " bytes, of which at most " + limit + " can be taken in");
    }

    /// @param refusal for the server, if it has asked something
    private void skipped(MessagePreview seen, CallFailure why, String refusal) {
        strays.add();
        RequestId id = seen.id();
        if (seen.asks() && id != null) {
            tell(JsonRpcFrames.error(id, JsonRpcErrorCode.INVALID_REQUEST, refusal, null));
        }
        Exchange exchange = seen.answers() && id != null ? pending.get(id.number()) : null;
        if (exchange != null) {
            exchange.end(new Outcome.Failed(why));
        }
    }

    /// It costs its own call; a notification that nobody took is lost.
    @Override
    public void refused(byte[] frame, CallFailure failure) {
        Exchange exchange = Message.read(frame) instanceof Message.Request request
                ? pending.get(request.id().number())
                : null;
        if (exchange == null) {
            strays.add();
        } else {
            exchange.end(new Outcome.Failed(failure));
        }
    }

    private void receive(Message message) {
        if (message instanceof Message.Answer answer) {
            answered(answer);
        } else if (message instanceof Message.Notification notification) {
            told(notification);
        } else if (message instanceof Message.Request request) {
            asked(request);
        } else if (message instanceof Message.Batch batch) {
            received(batch);
        } else {
            strays.add();
        }
    }

    private void received(Message.Batch batch) {
        if (Message.Batch.isIn(revision)) {
            batch.messages().forEach(this::receive);
        } else {
            refuse(batch);
        }
    }

    /// Batches were removed (revision 2025-06-18, changelog). The calls that one answers end at once.
    private void refuse(Message.Batch batch) {
        strays.add();
        batch.messages().forEach(message -> {
            Exchange exchange = message instanceof Message.Answer answer
                    ? pending.get(answer.id().number())
                    : null;
            if (exchange != null) {
                exchange.end(new Outcome.Failed(CallFailure.batched(revision)));
            }
        });
    }

    private void answered(Message.Answer answer) {
        Exchange exchange = pending.get(answer.id().number());
        if (exchange == null) {
            strays.add();
            return;
        }
        JsonView result = answer.result();
        if (result != null) {
            negotiated(exchange, result);
            tasks.keep(exchange.id(), exchange.progressToken(), result);
        }
        exchange.end(Outcome.of(answer, exchange.call().request()));
    }

    private void negotiated(Exchange exchange, JsonView result) {
        if (exchange.call().request().method().equals("initialize")) {
            revision = result.string("protocolVersion");
        }
    }

    private void told(Message.Notification notification) {
        switch (notification.method()) {
            case "notifications/progress" -> progressed(notification);
            case "notifications/cancelled" -> cancelled(notification);
            default -> toldOf(notification, notification.frame().path("params", "_meta", SUBSCRIPTION_ID));
        }
    }

    /// What belongs to a subscription carries the id of the request that opened it (revision 2026-07-28, section
    /// "Subscriptions").
    private void toldOf(Message.Notification notification, @Nullable JsonView subscription) {
        Exchange exchange = find(subscription);
        if (exchange != null) {
            exchange.call().caller().told(renamed(notification, subscription, exchange));
        } else if (subscription == null) {
            peer.told(notification);
        } else {
            // Of a subscription that has ended: nobody wants to hear it any more.
            strays.add();
        }
    }

    /// A server may take back its own questions, and end subscriptions.
    private void cancelled(Message.Notification notification) {
        JsonView id = notification.frame().path("params", "requestId");
        Exchange exchange = find(id);
        if (exchange == null || !exchange.call().request().method().equals("subscriptions/listen")) {
            peer.told(notification);
            return;
        }
        exchange.call().caller().told(renamed(notification, id, exchange));
        exchange.end(new Outcome.Failed(CallFailure.cancelled()));
    }

    private @Nullable Exchange find(@Nullable JsonView id) {
        RequestId read = id == null ? null : RequestId.read(id);
        return read == null ? null : pending.get(read.number());
    }

    /// The same with the id that the client knows.
    private static Message.Notification renamed(
            Message.Notification notification, @Nullable JsonView id, Exchange exchange) {
        String known = exchange.call().request().id().json();
        return Message.Notification.of(
                Splice.of(notification.frame()).replace(id, known).bytes());
    }

    private void progressed(Message.Notification notification) {
        JsonView token = notification.frame().path("params", "progressToken");
        RequestId read = token == null ? null : RequestId.read(token);
        long id = read == null ? -1 : read.number();
        JsonView ofTask = tasks.token(id);
        // The answer of a task comes before its progress, and its caller may be about to leave.
        Exchange exchange = ofTask == null ? pending.get(id) : null;
        JsonView given = exchange == null ? ofTask : exchange.progressToken();
        if (given == null) {
            strays.add();
            return;
        }
        byte[] restored =
                Splice.of(notification.frame()).replace(token, given.json()).bytes();
        if (exchange != null) {
            exchange.call().caller().progress(restored);
        } else if (Message.read(restored) instanceof Message.Notification task) {
            peer.told(task);
        }
    }

    private void asked(Message.Request request) {
        if (request.method().equals("ping")) {
            tell(JsonRpcFrames.result(request.id(), "{}"));
        } else if (!peer.asked(this, request)) {
            tell(JsonRpcFrames.error(
                    request.id(), JsonRpcErrorCode.METHOD_NOT_FOUND, "unsupported method " + request.method(), null));
        }
    }

    // ---- The end

    /// Ends every call that waits.
    @Override
    public void lost(CallFailure failure) {
        if (lost != null) {
            return;
        }
        CallFailure seen = failure.of(Evidence.Extent.CONNECTION);
        lost = seen;
        // First, so that who counts such things has counted before the calls are told.
        peer.lost(this, seen);
        List.copyOf(pending.values()).forEach(exchange -> exchange.end(new Outcome.Failed(seen)));
        strays.end();
    }

    @Override
    public List<Patience> inFlight() {
        return pending.values().stream()
                .filter(exchange -> exchange.now() == null)
                .map(exchange -> exchange.call().patience())
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
    public long heardAt() {
        return heardAt;
    }

    @Override
    public long dropped() {
        return strays.count();
    }

    @Override
    public void close() {
        Wire known = wire;
        if (known != null) {
            known.close();
        }
    }
}
