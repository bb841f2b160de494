package dev.fusebox.gateway.pool;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.CallSuspension;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A pooled connection: it tracks its use in its slot, and frees the slot when its process tree is gone.
/// Thread-safe; [#call] and [#awaitGone] block.
final class PooledConnection implements Connection, ServerMessageHandler {
    private final Pool pool;
    private final PoolSlot slot;
    private final ServerMessageHandler serverMessageHandler;
    private final AtomicBoolean departed = new AtomicBoolean();
    private volatile @Nullable Connection inner;
    private volatile Ending ending = Ending.OTHER;

    PooledConnection(Pool pool, PoolSlot slot, ServerMessageHandler serverMessageHandler) {
        this.pool = pool;
        this.slot = slot;
        this.serverMessageHandler = serverMessageHandler;
    }

    /// To be called once, before the first call.
    void attach(Connection opened) {
        inner = opened;
        if (slot.isOver()) {
            close();
        }
    }

    private Connection inner() {
        return Objects.requireNonNull(inner, "a connection is used before it is open");
    }

    @Override
    public void begun() {
        inner().begun();
        slot.begin(pool.now());
    }

    // ---- Calls

    @Override
    public Outcome call(Call call) {
        return switch (call.request().method()) {
            // A subscription lasts as long as the connection, and does not keep it from being idle.
            case "subscriptions/listen" -> inner().call(call);
            case "server/discover", "ping" -> question(call);
            default -> work(call);
        };
    }

    private Outcome question(Call call) {
        slot.ask();
        try {
            return slot.isWithdrawn() ? withdrawn() : inner().call(call);
        } finally {
            slot.asked();
            pool.rested(slot.borrower());
        }
    }

    private Outcome work(Call call) {
        if (!slot.enter()) {
            return slot.isWithdrawn() ? withdrawn() : inner().call(call);
        }
        boolean isProtected = false;
        try {
            return inner().call(call);
        } finally {
            // List requests are the gateway's own, sent whenever the server reports a change.
            if (!call.request().method().endsWith("/list")) {
                isProtected = slot.use(pool.now(), isOfSession(call));
            }
            if (slot.leave()) {
                pool.rested(slot.borrower());
            }
            if (isProtected) {
                pool.becameProtected();
            }
        }
    }

    /// The handshake of the gateway itself leaves no session state.
    private static boolean isOfSession(Call call) {
        return !call.request().method().equals("initialize") || !call.caller().equals(Caller.SILENT);
    }

    private Outcome withdrawn() {
        return new Outcome.Failed(CallFailure.connectionRetired(slot.borrower().server()));
    }

    @Override
    public boolean hold() {
        return slot.enter();
    }

    @Override
    public void letGo() {
        slot.use(pool.now(), false);
        if (slot.leave()) {
            pool.rested(slot.borrower());
        }
    }

    @Override
    public void sendOneWay(byte[] notification) {
        inner().sendOneWay(notification);
    }

    @Override
    public void answer(JsonView answer, RequestId question) {
        inner().answer(answer, question);
    }

    @Override
    public boolean isAlive() {
        return !slot.isOver() && inner().isAlive();
    }

    @Override
    public long lastReceivedAt() {
        return inner().lastReceivedAt();
    }

    @Override
    public @Nullable Long process() {
        Connection known = inner;
        return known == null ? null : known.process();
    }

    @Override
    public List<Deadline> inFlight() {
        Connection known = inner;
        return known == null ? List.of() : known.inFlight();
    }

    /// The shortest absence of the clients whose calls are in flight here; null if one of them is there.
    @Nullable
    CallSuspension callSuspension() {
        CallSuspension latest = null;
        for (Deadline deadline : inFlight()) {
            CallSuspension callSuspension = deadline.callSuspension();
            if (callSuspension == null) {
                return null;
            }
            latest = latest == null || callSuspension.since() - latest.since() > 0 ? callSuspension : latest;
        }
        return latest;
    }

    @Override
    public long dropped() {
        return inner().dropped();
    }

    // ---- Messages from the server

    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request request) {
        return serverMessageHandler.onRequest(replyHandler, request);
    }

    @Override
    public void onNotification(Message.Notification notification) {
        serverMessageHandler.onNotification(notification);
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        slot.lose();
        serverMessageHandler.lost(this, failure);
        Connection known = inner;
        // If it is lost before attach, attach releases it: what remains of its process is not known here yet.
        if (known != null) {
            depart(known);
        }
    }

    // ---- Close

    /// Closes it because it has been idle for too long.
    void expire() {
        ending = slot.borrower().idlePolicy().isBrief() ? Ending.BRIEF : Ending.IDLE;
        close();
    }

    @Override
    public Ending ending() {
        return ending;
    }

    @Override
    public boolean awaitGone(Duration limit) throws InterruptedException {
        return inner().awaitGone(limit);
    }

    @Override
    public void close() {
        slot.close();
        Connection known = inner;
        if (known != null) {
            known.close();
            depart(known);
        }
    }

    private void depart(Connection known) {
        if (departed.compareAndSet(false, true)) {
            pool.leaving(slot, known);
        }
    }
}
