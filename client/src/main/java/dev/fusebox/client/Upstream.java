package dev.fusebox.client;

import dev.fusebox.client.Connector.Opened;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One client's server: connects when it is first needed, and again after the connection was lost. Thread-safe; calls
/// block for as long as the caller has patience.
///
/// The first handshake is the client's own. When the server has to be started again, the same handshake is repeated, so
/// the client notices nothing but what the server forgot. Of many callers who find no connection one connects, the
/// others wait for it.
public final class Upstream {
    private static final RequestId HANDSHAKE = RequestId.of("handshake");

    private final World world;
    private final Connector connector;
    private final Peer peer;
    private final Duration connectTimeout;
    private final AtomicReference<@Nullable Arrival<Attempt>> current = new AtomicReference<>();
    private volatile @Nullable JsonView handshake;
    private volatile boolean closed;

    /// A connection, or why there is none.
    private record Attempt(
            @Nullable Connection connection, @Nullable Fault fault) {}

    public Upstream(World world, Connector connector, Peer peer, Duration connectTimeout) {
        this.world = world;
        this.connector = connector;
        this.peer = peer;
        this.connectTimeout = connectTimeout;
    }

    /// Makes the call on the connection, which is opened if there is none.
    public Outcome call(Call call) {
        Attempt attempt = connection(call.patience());
        Connection connection = attempt.connection();
        if (connection == null) {
            return new Outcome.Failed(faultOf(attempt));
        }
        Outcome outcome = connection.call(call);
        if (call.request().method().equals("initialize") && isResult(outcome)) {
            handshake = call.request().params();
        }
        return outcome;
    }

    private static boolean isResult(Outcome outcome) {
        return outcome instanceof Outcome.Answered answered && answered.answer().result() != null;
    }

    private static Fault faultOf(Attempt attempt) {
        Fault fault = attempt.fault();
        return fault != null ? fault : Fault.notSent(FaultCode.CONNECT_FAILED, Category.OFFLINE, "no connection");
    }

    /// Sends a notification if there is a connection; one that is gone has nobody to tell.
    public void tell(byte[] notification) {
        Connection connection = connected();
        if (connection != null) {
            connection.tell(notification);
        }
    }

    /// Hands the client's answer to the server that asked, if it is still the same one.
    public void answer(JsonView answer, RequestId question, Connection asker) {
        if (asker.isAlive()) {
            asker.answer(answer, question);
        }
    }

    /// The connection; null if there is none at the moment.
    public @Nullable Connection connected() {
        Arrival<Attempt> arrival = current.get();
        Attempt attempt = arrival == null ? null : arrival.now();
        Connection connection = attempt == null ? null : attempt.connection();
        return connection != null && connection.isAlive() ? connection : null;
    }

    /// Ends the connection; nothing is opened any more.
    public void close() {
        closed = true;
        Connection connection = connected();
        if (connection != null) {
            connection.close();
        }
    }

    // ---- Connecting

    private Attempt connection(Patience patience) {
        Arrival<Attempt> known = current.get();
        if (known != null && isUsable(known)) {
            return await(known, patience);
        }
        Arrival<Attempt> mine = new Arrival<>();
        if (!current.compareAndSet(known, mine)) {
            return connection(patience);
        }
        Attempt attempt = connect();
        mine.bring(attempt);
        return attempt;
    }

    /// Somebody connects, or has connected and it still holds.
    private static boolean isUsable(Arrival<Attempt> arrival) {
        Attempt attempt = arrival.now();
        return attempt == null
                || (attempt.connection() != null && attempt.connection().isAlive());
    }

    private Attempt await(Arrival<Attempt> arrival, Patience patience) {
        Attempt attempt = arrival.now();
        if (attempt != null) {
            return attempt;
        }
        try {
            attempt = arrival.await(world, Duration.ofNanos(Math.max(1, patience.left())));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return attempt != null ? attempt : failed(stillConnecting());
    }

    private static Fault stillConnecting() {
        return Fault.notSent(FaultCode.TIMEOUT, Category.LOCAL, "the server is still starting; try again in a moment");
    }

    private static Attempt failed(Fault fault) {
        return new Attempt(null, fault);
    }

    private Attempt connect() {
        if (closed) {
            return failed(Fault.notSent(FaultCode.CANCELLED, Category.LOCAL, "the session has ended"));
        }
        Connection connection = new Connection(world, peer);
        return switch (connector.open(connection)) {
            case Opened.Refused refused -> failed(refused.fault());
            case Opened.Wired wired -> {
                connection.attach(wired.wire());
                yield closed ? dropped(connection) : greeted(connection);
            }
        };
    }

    private static Attempt dropped(Connection connection) {
        connection.close();
        return failed(Fault.notSent(FaultCode.CANCELLED, Category.LOCAL, "the session has ended"));
    }

    /// A server that was started again gets the handshake that its predecessor got.
    private Attempt greeted(Connection connection) {
        JsonView params = handshake;
        if (params == null) {
            return new Attempt(connection, null);
        }
        byte[] frame = Frames.request(HANDSHAKE, "initialize", params.json());
        Message.Request request = (Message.Request) Message.read(frame, 0, frame.length);
        Patience patience = new Patience(connectTimeout, Duration.ZERO, world.ticker());
        Outcome outcome = connection.call(new Call(request, patience, Caller.SILENT));
        if (isResult(outcome)) {
            connection.tell(Frames.notification("notifications/initialized", null));
            return new Attempt(connection, null);
        }
        connection.close();
        return failed(outcome instanceof Outcome.Failed failed ? notSent(failed.fault()) : refused());
    }

    private static Fault notSent(Fault fault) {
        return new Fault(fault.code(), fault.category(), Reached.NOT_SENT, fault.message(), fault.evidence());
    }

    private static Fault refused() {
        return Fault.notSent(FaultCode.CONNECT_FAILED, Category.OTHER, "the server refused the handshake");
    }
}
