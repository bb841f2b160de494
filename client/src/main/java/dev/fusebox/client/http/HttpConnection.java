package dev.fusebox.client.http;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Peer;
import dev.fusebox.client.Strays;
import dev.fusebox.client.TaskTokens;
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
final class HttpConnection implements Connection {
    private final Remote remote;
    private final Peer peer;
    private final Verdict verdict;
    private final ToolLists tools = new ToolLists();
    private final TaskTokens tasks = new TaskTokens();
    private final ConcurrentMap<Long, HttpCall> pending = new ConcurrentHashMap<>();
    private final Strays strays;
    private final Teller teller = new Teller(this);
    private final AtomicReference<@Nullable CallFailure> lost = new AtomicReference<>();
    private final AtomicBoolean isPeerTold = new AtomicBoolean();
    private volatile Era.@Nullable Agreed agreed;
    private volatile @Nullable Listening listening;
    private volatile long heardAt;

    HttpConnection(Remote remote, Peer peer) {
        this.remote = remote;
        this.peer = peer;
        this.verdict = remote.verdict();
        this.strays = new Strays(remote.name());
        heard();
    }

    Remote remote() {
        return remote;
    }

    /// What an answer that is none means; a wish of the server in it holds for all its connections.
    CallFailure failure(Reply reply, byte[] shown) {
        return remote.notBefore().heed(verdict.of(reply, shown));
    }

    ToolLists tools() {
        return tools;
    }

    Era.@Nullable Agreed agreed() {
        return agreed;
    }

    // ---- Calls

    @Override
    public Outcome call(Call call) {
        CallFailure gone = lost.get();
        if (gone != null) {
            return new Outcome.Failed(gone.unsent());
        }
        try (Timekeeper keeper = Timekeeper.start(remote.world(), call.patience())) {
            teller.awaitReady(keeper);
            String version = Era.version(call.request().params());
            if (version == null) {
                return once(new HttpCall(this, call, keeper, null));
            }
            Outcome outcome = once(new HttpCall(this, call, keeper, version));
            boolean again = Relisting.helps(call, outcome) && Relisting.run(this, call, keeper);
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
    void agree(Era.Agreed with) {
        agreed = with;
    }

    void keepTask(HttpCall call, JsonView result) {
        tasks.keep(call.id(), call.progressToken(), result);
    }

    // ---- What nobody waits for

    @Override
    public void tell(byte[] notification) {
        teller.tell(notification);
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
        Era.Agreed with = agreed;
        if (with == null || lost.get() != null || listening != null) {
            return;
        }
        Listening stream = new Listening(this, with);
        listening = stream;
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
            case Message.Batch batch -> strays.add();
            case Message.Answer stray -> strays.add();
            case Message.Malformed noise -> strays.add();
        }
    }

    private boolean hasBatches() {
        Era.Agreed with = agreed;
        return with != null && Message.Batch.isIn(with.version());
    }

    private void told(Message.Notification notification) {
        if (notification.method().equals("notifications/progress")) {
            progressed(notification);
        } else {
            peer.told(notification);
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
            strays.add();
            return;
        }
        byte[] restored =
                Splice.of(notification.frame()).replace(token, given.json()).bytes();
        if (call != null) {
            call.progress(restored);
        } else if (Message.read(restored) instanceof Message.Notification task) {
            peer.told(task);
        }
    }

    void withdrawn(Message.Notification notification) {
        peer.told(notification);
    }

    private void asked(Message.Request request) {
        if (!isPing(request) && !peer.asked(this, request)) {
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
        strays.add();
    }

    // ---- The end

    static CallFailure sessionLost(int status) {
        return new CallFailure(
                ErrorCode.SESSION_LOST,
                FailureCategory.OTHER,
                Delivery.REJECTED,
                "the server does not know our session any more (HTTP " + status + ")",
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
            peer.lost(this, gone);
            strays.end();
        }
    }

    private void stopListening() {
        Listening stream = listening;
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
        heardAt = remote.world().ticker().nanos();
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
        CallFailure closed =
                CallFailure.notSent(ErrorCode.CANCELLED, FailureCategory.LOCAL, "the connection was closed");
        boolean first = lost.compareAndSet(null, closed);
        List.copyOf(pending.values()).forEach(HttpCall::cut);
        stopListening();
        Era.Agreed with = agreed;
        if (first && with != null && with.session() != null) {
            teller.sayGoodbye(with);
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
