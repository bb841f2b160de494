package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Asker;
import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Peer;
import dev.fusebox.client.Upstream;
import dev.fusebox.protocol.Message;
import dev.fusebox.world.World;
import java.util.function.Function;

/// A server of the session era that works for one call at a time, so that whatever it says or asks belongs to that
/// call. Thread-safe; [#call] blocks and is for one thread at a time.
final class Loan implements Peer {
    private final Upstream upstream;
    private volatile Earshot borrower = Earshot.NONE;
    private final LevelThere level;

    /// @param opening makes the way to the server for a peer
    Loan(World world, Function<Peer, Upstream> opening) {
        this.upstream = opening.apply(this);
        this.level = new LevelThere(world, upstream);
    }

    Upstream.Welcome welcome(Patience patience) {
        return upstream.welcome(patience);
    }

    Outcome call(Call call, Metadata client) {
        Earshot earshot = Earshot.of(call.caller(), client.logLevel());
        borrower = earshot;
        try {
            level.hearFrom(client.logLevel(), call.patience());
            return upstream.call(new Call(call.request(), call.patience(), earshot));
        } finally {
            borrower = Earshot.NONE;
        }
    }

    @Override
    public boolean asked(Asker asker, Message.Request request) {
        return borrower.asked(asker, request);
    }

    @Override
    public void told(Message.Notification notification) {
        borrower.told(notification);
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        // The call on it has been told.
    }

    void close() {
        upstream.close();
    }
}
