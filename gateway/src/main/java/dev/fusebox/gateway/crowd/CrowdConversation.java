package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Peer;
import dev.fusebox.gateway.stateless.Bridge;
import dev.fusebox.gateway.stateless.Conversation;
import dev.fusebox.gateway.stateless.Guest;
import dev.fusebox.gateway.stateless.Metadata;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.Message;
import dev.fusebox.world.World;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A client of the session era before many servers. Its handshake is ours to answer, so it waits for none of them.
/// Thread-safe; [#call] blocks.
final class CrowdConversation implements Conversation, Guest {
    private final World world;
    private final Crowd crowd;
    private final Router router;
    private final Peer peer;

    /// The servers outlive the client, so its calls end with it: nobody else would give their places in the lanes back.
    private final Set<Patience> ongoing = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;
    private volatile @Nullable Bridge bridge;

    CrowdConversation(Crowd crowd, Router router, Peer peer) {
        this.world = crowd.world();
        this.crowd = crowd;
        this.router = router;
        this.peer = peer;
    }

    @Override
    public Outcome greet(Call initialize) {
        Bridge made =
                new Bridge(world, this::route, peer::told, initialize.request().params());
        bridge = made;
        crowd.guests().arrived(metadata(made.dressed(initialize.request())));
        return made.greet(initialize.request(), initialize.patience());
    }

    private Outcome route(Call call) {
        return router.call(call, new Router.From(metadata(call.request()), this));
    }

    private Metadata metadata(Message.Request request) {
        Metadata client = Objects.requireNonNull(Metadata.of(request), "the bridge dresses every request");
        return client.ofSession().of(this);
    }

    @Override
    public boolean isHere() {
        return !closed;
    }

    @Override
    public boolean isOfSessionEra() {
        return true;
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
        switch (notification.method()) {
            case "notifications/initialized" -> {
                if (between != null) {
                    between.begin();
                }
            }
            case "notifications/roots/list_changed" ->
                crowd.guests().tell(this, Frames.onOneLine(notification.frame().bytes()));
            default -> {}
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
        crowd.guests().left(this);
    }
}
