package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Connector;
import dev.fusebox.gateway.served.Isolation;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.platform.Platform;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Builds ways to a server. Thread-safe; nothing blocks.
///
/// @param secrets makes the tickets of calls that wait for their client
/// @param open all that were built and not scrapped
record Shipyard(Platform platform, Served served, RandomGenerator secrets, OpenTargets open) {
    SessionTarget session(Served as, @Nullable Metadata client) {
        Guest owner = owner(as, client);
        return open.add(new SessionTarget(platform, ownedBy(owner, as), secrets, owner == null ? null : client));
    }

    StatelessTarget stateless(Served as, @Nullable Metadata client) {
        Guest owner = owner(as, client);
        if (owner == null) {
            return open.add(
                    new StatelessTarget(platform, serverMessageHandler -> as.plain(platform, serverMessageHandler)));
        }
        StateLoss loss = new StateLoss(as.settings().server(), as.oversight().listener());
        Served own = loss.over(ownedBy(owner, as));
        return open.add(
                new StatelessTarget(platform, serverMessageHandler -> own.plain(platform, serverMessageHandler), loss));
    }

    /// Whose session the way belongs to; null if many share it.
    private static @Nullable Guest owner(Served as, @Nullable Metadata client) {
        boolean isApart = as.oversight().sharing().isolation() == Isolation.SESSION;
        return client == null || !isApart ? null : client.guest();
    }

    private static Served ownedBy(@Nullable Guest owner, Served as) {
        return owner == null ? as : as.behind(connector -> connector.owned(owner));
    }

    /// Nobody needs this one any more.
    void scrap(Target target) {
        open.end(target);
    }

    /// For a server whose era is known.
    ///
    /// @param isProven whether the server has shown its era itself; false if only the operator has named it
    Fleet.Yard knowing(boolean isStateless, boolean isProven) {
        return new Fleet.Yard() {
            @Override
            public Target build(@Nullable Metadata guest, boolean isSpare) {
                Served as = isSpare ? served.behind(Connector::spare) : served;
                if (!isStateless) {
                    return session(as, guest);
                }
                return isProven ? stateless(as, guest).opening() : stateless(as, guest);
            }

            @Override
            public void scrap(Target target) {
                open.end(target);
            }
        };
    }
}
