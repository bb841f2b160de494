package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Asker;
import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.HandoverConnector;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Peer;
import dev.fusebox.client.Upstream;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A server of the stateless era: all clients share one connection, and frames pass as they are. Thread-safe;
/// [#call] blocks.
final class StatelessTarget implements Target, Peer {
    private final World world;
    private final Upstream upstream;
    private final @Nullable StateLoss loss;
    private final Set<Caller> wantLogs = ConcurrentHashMap.newKeySet();

    /// @param opening makes the way to the server for a peer
    StatelessTarget(World world, Function<Peer, Upstream> opening) {
        this(world, opening, null);
    }

    /// @param loss tells the session whose server it is that its process was replaced; null if many share it
    StatelessTarget(World world, Function<Peer, Upstream> opening, @Nullable StateLoss loss) {
        this.world = world;
        this.upstream = opening.apply(this);
        this.loss = loss;
    }

    /// Connects, if nobody has.
    Upstream.Welcome greet(Patience patience) {
        return upstream.welcome(patience);
    }

    /// The server is known to answer `server/discover`: each process that follows has to do so before it is
    /// called.
    StatelessTarget opening() {
        upstream.opening(EraTarget.question());
        return this;
    }

    /// Leaves the connection to another client of the server; null if there is none.
    @Nullable
    HandoverConnector handOver() {
        return upstream.handOver();
    }

    /// Null if there is none.
    @Nullable
    Connection connected() {
        return upstream.connected();
    }

    @Override
    public Outcome call(Call call, Metadata client) {
        return loss == null ? made(call, client) : loss.call(call, same -> made(same, client));
    }

    private Outcome made(Call call, Metadata client) {
        if (call.request().method().equals("subscriptions/listen")) {
            return underItsId(call.request().id(), upstream.call(call));
        }
        if (client.logLevel() == null) {
            return upstream.call(call);
        }
        wantLogs.add(call.caller());
        try {
            return upstream.call(call);
        } finally {
            wantLogs.remove(call.caller());
        }
    }

    /// The end of a subscription names the request that opened it, which has another id on the server's line.
    private static Outcome underItsId(RequestId id, Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered(Message.Answer answer))) {
            return outcome;
        }
        JsonView named = answer.frame().path("result", "_meta", Metadata.SUBSCRIPTION_ID);
        return new Outcome.Answered(Message.Answer.of(
                Splice.of(answer.frame()).replace(named, id.json()).bytes()));
    }

    /// In this era servers do not ask; one that does breaks the protocol.
    @Override
    public boolean asked(Asker asker, Message.Request request) {
        return false;
    }

    /// A log line belongs to a request, but over one line for all nothing says to which. If only one of them wants
    /// any, it is that one's.
    @Override
    public void told(Message.Notification notification) {
        Caller[] callers = wantLogs.toArray(Caller[]::new);
        if (callers.length == 1 && notification.method().equals("notifications/message")) {
            callers[0].told(notification);
        }
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        // Every call on it has been told.
    }

    @Override
    public Upstream.Pulse pulse(long since, Duration limit) {
        Patience patience = new Patience(limit, Duration.ZERO, world.ticker());
        return upstream.pulse(since, new Call(EraTarget.question(), patience, Caller.SILENT));
    }

    @Override
    public boolean heardSince(long then) {
        return upstream.heardSince(then);
    }

    @Override
    public void disconnect() {
        upstream.disconnect();
    }

    @Override
    public void startOver() {
        upstream.startOver();
    }

    @Override
    public void close() {
        upstream.close();
    }
}
