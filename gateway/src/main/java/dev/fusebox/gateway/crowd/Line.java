package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Connection;
import dev.fusebox.client.Fault;
import dev.fusebox.client.Upstream;
import dev.fusebox.client.Witness;
import dev.fusebox.client.lane.Lane;
import dev.fusebox.client.lane.Vitals;
import dev.fusebox.gateway.life.Life;
import dev.fusebox.gateway.life.LifeRules;
import dev.fusebox.gateway.served.Oversight;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.gateway.stateless.EraTarget;
import dev.fusebox.gateway.stateless.Target;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// What leads to a server as one configuration describes it, and who is on it. When that description is another,
/// so is the line; when only the rules of calls are, the lane before it is exchanged. Thread-safe; [#drain]
/// blocks.
final class Line {
    private static final System.Logger LOG = System.getLogger(Line.class.getName());

    private final World world;
    private final Served served;
    private final EraTarget target;
    private final Life life;
    private volatile Duration pingLimit;
    private final Runnable whenClosed;
    private final Door door = new Door();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Lane lane;

    /// @param errands what is done for the server when it is due; reading comes with every new connection
    Line(Member.Place place, Joining joining, Lane lane, Life.Errands errands) {
        this.world = place.world();
        this.lane = lane;
        this.whenClosed = joining.whenClosed();
        String server = joining.served().settings().server();
        this.life = new Life(world, new Life.Subject(server, joining.life()), errands, place.events());
        this.pingLimit = joining.life().polls().limit();
        this.served = joining.served()
                .behind(connector -> new Guarded(connector, life))
                .under(new Oversight(new Eyes(world, new ToLane(), life, errands::connected), true));
        this.target = new EraTarget(world, served, place.secrets());
    }

    Served served() {
        return served;
    }

    Target target() {
        return target;
    }

    Door door() {
        return door;
    }

    Life life() {
        return life;
    }

    /// Signs of life of the server, for whoever doubts that it lives.
    Vitals vitals() {
        return new Pulses(target, life);
    }

    /// Whether it may remember who has called it: sessions are made to be remembered.
    boolean isStateful() {
        return !target.isStateless();
    }

    /// Whether the server answers when it is asked for a sign of life.
    boolean isThere() {
        return target.pulse(world.ticker().nanos(), pingLimit) == Upstream.Pulse.FELT;
    }

    /// Lets nobody more in. Who is on it goes on, and what becomes of its connections is nobody's matter any more.
    void retire() {
        door.close();
        life.close();
    }

    /// It is kept alive by other rules from now on.
    void govern(LifeRules rules) {
        pingLimit = rules.polls().limit();
        life.govern(rules);
    }

    /// From now on this lane hears of the connections.
    void behind(Lane other) {
        lane = other;
    }

    /// Lets nobody more in, and closes when all have left, or when their time is over.
    void drain(Duration limit) {
        retire();
        try {
            if (!door.awaitEmpty(world, limit)) {
                LOG.log(System.Logger.Level.WARNING, late(limit));
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    private String late(Duration limit) {
        return served.settings().server() + " is not what it was or is no more, and " + door.inside()
                + " calls to it were still under way after " + limit.toMillis() + " ms; they are ended";
    }

    /// Ends what is on it. Safe to call again.
    void close() {
        retire();
        if (closed.compareAndSet(false, true)) {
            target.close();
            whenClosed.run();
        }
    }

    /// The lane that there is at the moment.
    private final class ToLane implements Witness {
        @Override
        public void connecting() {
            lane.connecting();
        }

        @Override
        public void connected(Connection connection) {
            lane.connected(connection);
        }

        @Override
        public void failed(Fault fault) {
            lane.failed(fault);
        }

        @Override
        public void lost(Connection connection, Fault fault) {
            lane.lost(connection, fault);
        }
    }
}
