package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Peer;
import dev.fusebox.client.Upstream;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.gateway.served.EraPolicy;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.world.World;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The server of one session, whatever its own era. Thread-safe; [#greet] and [#call] block.
///
/// A client of the session era begins with a handshake, and so does a server of that era: what the client says is
/// passed on as it is. Only a server that refuses the handshake is asked whether it speaks without one.
final class ServerOfSession implements Conversation {
    private final World world;
    private final Served served;
    private final Peer peer;
    private final Upstream upstream;
    private final StateLoss loss;
    private final Passage passage;
    private volatile @Nullable Bridge bridge;

    ServerOfSession(World world, OneServer server, Peer peer) {
        this.world = world;
        this.served = server.served();
        this.peer = peer;
        this.loss = new StateLoss(served.settings().server(), served.oversight().witness());
        this.upstream =
                loss.over(served.behind(connector -> connector.owned(peer))).plain(world, peer);
        this.passage = new Passage(server, new Signs());
    }

    /// Makes the client's handshake.
    @Override
    public Outcome greet(Call initialize) {
        return passage.call(initialize, this::shakeHands);
    }

    private Outcome shakeHands(Call initialize) {
        if (served.era() != EraPolicy.STATELESS) {
            Outcome outcome = upstream.call(initialize);
            boolean isRefused = outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() == null;
            if (!isRefused || served.era() == EraPolicy.SESSION) {
                return outcome;
            }
            Outcome modern = greetStateless(initialize);
            return bridge == null ? outcome : modern;
        }
        return greetStateless(initialize);
    }

    private Outcome greetStateless(Call initialize) {
        JsonView handshake = initialize.request().params();
        Bridge candidate = new Bridge(world, upstream::call, peer::told, handshake);
        Outcome outcome = candidate.greet(initialize.request(), initialize.patience());
        if (outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null) {
            bridge = candidate;
        }
        return outcome;
    }

    /// Notes which revision the client's handshake led to. A server of the stateless era that is started again has
    /// none.
    @Override
    public void agreed(Message.Request initialize, @Nullable String revision) {
        if (bridge == null) {
            upstream.agreed(initialize, revision);
        }
    }

    /// Makes a call of the client.
    @Override
    public Outcome call(Call call) {
        Bridge between = bridge;
        return loss.call(call, same -> passage.call(same, between == null ? upstream::call : between::call));
    }

    /// Of the session's own connection.
    private final class Signs implements Liveness {
        @Override
        public Upstream.Pulse pulse(long since, Duration limit) {
            Patience patience = new Patience(limit, Duration.ZERO, world.ticker());
            Message.Request question = bridge == null ? SessionTarget.question() : EraTarget.question();
            return upstream.pulse(since, new Call(question, patience, Caller.SILENT));
        }

        @Override
        public boolean heardSince(long then) {
            return upstream.heardSince(then);
        }

        @Override
        public void disconnect() {
            upstream.disconnect();
        }
    }

    /// Passes on what the client tells. A server of the stateless era hears none of it; when the client is ready,
    /// its subscription begins.
    @Override
    public void tell(Message.Notification notification) {
        Bridge between = bridge;
        if (between == null) {
            upstream.tell(JsonRpcFrames.onOneLine(notification.frame().bytes()));
        } else if (notification.method().equals("notifications/initialized")) {
            between.begin();
        }
    }

    /// Ends the connection; the next call opens another.
    @Override
    public void disconnect() {
        upstream.disconnect();
    }

    /// Ends the connection for good.
    @Override
    public void close() {
        Bridge between = bridge;
        if (between != null) {
            between.close();
        }
        upstream.close();
    }
}
