package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Peer;
import dev.fusebox.gateway.stateless.Bridge;
import dev.fusebox.gateway.stateless.Conversation;
import dev.fusebox.gateway.stateless.Metadata;
import dev.fusebox.protocol.Message;
import dev.fusebox.world.World;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A client of the session era before many servers. Its handshake is ours to answer, so it waits for none of them.
/// Thread-safe; [#call] blocks.
final class CrowdConversation implements Conversation {
    private final World world;
    private final Router router;
    private final Peer peer;

    /// The servers outlive the client, so its calls end with it: nobody else would give their places in the lanes back.
    private final Set<Patience> ongoing = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;
    private volatile @Nullable Bridge bridge;

    CrowdConversation(World world, Router router, Peer peer) {
        this.world = world;
        this.router = router;
        this.peer = peer;
    }

    @Override
    public Outcome greet(Call initialize) {
        Bridge made =
                new Bridge(world, this::route, peer::told, initialize.request().params());
        bridge = made;
        return made.greet(initialize.request(), initialize.patience());
    }

    private Outcome route(Call call) {
        Metadata client = Objects.requireNonNull(Metadata.of(call.request()), "the bridge dresses every request");
        return router.call(call, new Router.From(client.ofSession(), this));
    }

    @Override
    public void agreed(Message.Request initialize, @Nullable String revision) {
        // Servers are greeted by us, in our own words.
    }

    @Override
    public Outcome call(Call call) {
        Bridge between = Objects.requireNonNull(bridge, "there is no call before the handshake");
        ongoing.add(call.patience());
        try {
            if (closed) {
                call.patience().giveUp();
            }
            return between.call(call);
        } finally {
            ongoing.remove(call.patience());
        }
    }

    @Override
    public void tell(Message.Notification notification) {
        Bridge between = bridge;
        if (between != null && notification.method().equals("notifications/initialized")) {
            between.begin();
        }
    }

    @Override
    public void disconnect() {
        // The servers are everybody's.
    }

    @Override
    public void close() {
        closed = true;
        ongoing.forEach(Patience::giveUp);
        Bridge between = bridge;
        if (between != null) {
            between.close();
        }
    }
}
