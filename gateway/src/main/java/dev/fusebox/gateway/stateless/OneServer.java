package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Peer;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.gateway.served.SessionBounds;
import dev.fusebox.gateway.served.SessionSettings;
import dev.fusebox.world.World;
import java.util.random.RandomGenerator;

/// One server as it is: names, results and notifications pass unchanged. Immutable.
public record OneServer(Served served) implements Service {
    @Override
    public SessionSettings settings() {
        return served.settings();
    }

    @Override
    public SessionBounds bounds() {
        return served.bounds();
    }

    @Override
    public Target target(World world, RandomGenerator secrets) {
        return new EraTarget(world, served, secrets);
    }

    @Override
    public Conversation conversation(World world, Peer peer) {
        return new ServerOfSession(world, served, peer);
    }
}
