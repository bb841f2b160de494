package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Connector;
import dev.fusebox.gateway.served.Isolation;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.world.World;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Builds ways to a server. Thread-safe; nothing blocks.
///
/// @param secrets makes the tickets of calls that wait for their client
/// @param open all that were built and not scrapped
record Shipyard(World world, Served served, RandomGenerator secrets, OpenTargets open) {
    SessionTarget session(Served as, @Nullable Metadata client) {
        boolean isOwn = client != null
                && client.guest() != null
                && as.oversight().sharing().isolation() == Isolation.SESSION;
        return open.add(new SessionTarget(world, as, secrets, isOwn ? client : null));
    }

    StatelessTarget stateless(Served as) {
        return open.add(new StatelessTarget(world, peer -> as.plain(world, peer)));
    }

    /// Nobody needs this one any more.
    void scrap(Target target) {
        open.end(target);
    }

    /// For a server whose era is known.
    Fleet.Yard knowing(boolean isStateless) {
        return new Fleet.Yard() {
            @Override
            public Target build(@Nullable Metadata guest, boolean isSpare) {
                Served as = isSpare ? served.behind(Connector::spare) : served;
                return isStateless ? stateless(as) : session(as, guest);
            }

            @Override
            public void scrap(Target target) {
                open.end(target);
            }
        };
    }
}
