package dev.fusebox.gateway.mcp;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Call;
import dev.fusebox.client.Category;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Peer;
import dev.fusebox.client.Reached;
import dev.fusebox.client.Upstream;
import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// One client's conversation with its own server, passed through as it is.
///
/// Frames keep every byte but for three values: ids, progress tokens, and the ids inside of cancellations. Thread-safe;
/// nothing blocks but the work that [#begin] gives.
public final class Session implements Peer, Batch.Conversation {
    private static final Fault NOT_GREETED = new Fault(
            FaultCode.PROTOCOL_VIOLATION,
            Category.POLICY,
            Reached.NOT_SENT,
            "the session has not begun; send initialize first",
            Evidence.NONE);

    private final World world;
    private final SessionSettings settings;
    private final Outlet unrelated;
    private final Arrival<Boolean> greeted = new Arrival<>();
    private volatile boolean greeting;
    private final Upstream upstream;
    private final ConcurrentMap<RequestId, Ongoing> ongoing = new ConcurrentHashMap<>();
    private final Questions questions = new Questions();

    /// @param unrelated for what belongs to no request of the client
    public Session(World world, SessionSettings settings, Connector connector, Outlet unrelated) {
        this.world = world;
        this.settings = settings;
        this.unrelated = unrelated;
        this.upstream = new Upstream(world, connector, this, settings.connectTimeout());
    }

    // ---- From the client

    /// Notes a request, so that it can be cancelled from now on, and gives the work that answers it. The work blocks
    /// until the call has ended, and must be run.
    @Override
    public Runnable begin(Message.Request request, Outlet outlet) {
        if (request.method().equals("ping")) {
            return () -> outlet.finish(Frames.result(request.id(), "{}"));
        }
        Patience patience = new Patience(settings.timeout(), settings.clientWait(), world.ticker());
        if (ongoing.putIfAbsent(request.id(), new Ongoing(patience, outlet)) != null) {
            return () -> outlet.finish(Frames.error(
                    request.id(), ErrorCode.INVALID_REQUEST, "a request with this id is being worked on", null));
        }
        if (request.method().equals("initialize")) {
            greeting = true;
        }
        return () -> finish(request, call(request, patience, outlet), outlet);
    }

    private Outcome call(Message.Request request, Patience patience, Outlet outlet) {
        boolean isGreeting = request.method().equals("initialize");
        try {
            if (!isGreeting && !isGreeted(patience)) {
                return new Outcome.Failed(NOT_GREETED);
            }
            return upstream.call(new Call(request, patience, outlet::send));
        } finally {
            ongoing.remove(request.id());
            if (isGreeting) {
                greeted.bring(true);
            }
        }
    }

    /// Whoever sends more before the handshake is answered has to wait for it: the server must hear it first.
    private boolean isGreeted(Patience patience) {
        if (greeted.now() == null && greeting) {
            try {
                greeted.await(world, Duration.ofNanos(Math.max(1, patience.left())));
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
        return greeted.now() != null;
    }

    private void finish(Message.Request request, Outcome outcome, Outlet outlet) {
        switch (outcome) {
            case Outcome.Answered answered ->
                outlet.finish(withId(answered.answer().frame(), request.id()));
            case Outcome.Failed failed when failed.fault().code() == FaultCode.CANCELLED -> outlet.abandon();
            case Outcome.Failed failed -> outlet.finish(FaultFrames.of(request, settings.server(), failed.fault()));
        }
    }

    /// Takes a notification of the client.
    @Override
    public void take(Message.Notification notification) {
        if (!notification.method().equals("notifications/cancelled")) {
            upstream.tell(Frames.onOneLine(Splice.of(notification.frame()).bytes()));
            return;
        }
        JsonView id = notification.frame().path("params", "requestId");
        RequestId cancelled = id == null ? null : RequestId.read(id);
        Ongoing call = cancelled == null ? null : ongoing.get(cancelled);
        if (call != null) {
            call.patience().giveUp();
        }
    }

    /// Takes the client's answer to a question of the server.
    @Override
    public void take(Message.Answer answer) {
        RequestId asked = questions.answered(answer.id());
        Connection connection = upstream.connected();
        if (asked != null && connection != null) {
            connection.answer(answer.frame(), asked);
        }
    }

    /// Requests that are being worked on.
    public int inFlight() {
        return ongoing.size();
    }

    /// Ends the conversation: the server is stopped, calls that still wait are told.
    public void close() {
        upstream.close();
        questions.clear();
    }

    // ---- From the server

    @Override
    public boolean asked(Message.Request request) {
        List<Ongoing> calls = List.copyOf(ongoing.values());
        RequestId id = questions.ask(
                request.id(), calls.stream().map(Ongoing::patience).toList());
        if (id == null) {
            return false;
        }
        related(calls).send(withId(request.frame(), id));
        return true;
    }

    @Override
    public void told(Message.Notification notification) {
        switch (notification.method()) {
            case "notifications/cancelled" -> withdraw(notification);
            case "notifications/message" ->
                related(List.copyOf(ongoing.values())).send(notification.frame().bytes());
            default -> unrelated.send(notification.frame().bytes());
        }
    }

    private void withdraw(Message.Notification notification) {
        JsonView id = notification.frame().path("params", "requestId");
        RequestId asked = id == null ? null : RequestId.read(id);
        RequestId known = asked == null ? null : questions.withdrawn(asked);
        if (known != null) {
            unrelated.send(
                    Splice.of(notification.frame()).replace(id, known.json()).bytes());
        }
    }

    /// What a server sends during the only call is about that call; otherwise nobody can know.
    private Outlet related(List<Ongoing> calls) {
        return calls.size() == 1 ? calls.getFirst().outlet() : unrelated;
    }

    @Override
    public void lost(Fault fault) {
        questions.clear();
    }

    private static byte[] withId(JsonView frame, RequestId id) {
        @Nullable JsonView old = frame.member("id");
        return Splice.of(frame).replace(old, id.json()).bytes();
    }
}
