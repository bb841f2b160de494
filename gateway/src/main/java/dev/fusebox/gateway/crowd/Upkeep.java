package dev.fusebox.gateway.crowd;

import dev.fusebox.platform.VirtualThreadStarter;
import java.util.concurrent.atomic.AtomicBoolean;

/// Does for the life of a member what is due. Thread-safe; nothing blocks.
final class Upkeep implements Line.Owner {
    private final Member member;
    private final Shelf shelf;

    /// Whether there is a connection on which nothing was read yet.
    private final AtomicBoolean fresh = new AtomicBoolean();

    Upkeep(Member member, Shelf shelf) {
        this.member = member;
        this.shelf = shelf;
    }

    /// Even if no client asks for lists: what a tool takes, and whether it only reads, has to be known to call it.
    @Override
    public void read() {
        shelf.due();
    }

    @Override
    public void connected() {
        fresh.set(true);
        shelf.reconnected();
    }

    /// What the server offers was read: whether that was the first time on this connection.
    boolean noteReading() {
        return fresh.compareAndSet(true, false);
    }

    /// A server that works on a call is not sick, though it may answer nothing else meanwhile.
    @Override
    public void poll() {
        boolean isUp = !member.health().status().isDown();
        boolean isBusy = isUp && member.inside() > 0;
        if (!isBusy) {
            // Otherwise it is asked the next time.
            VirtualThreadStarter.start("fusebox-poll", member::ping, () -> {});
        }
    }

    @Override
    public boolean isReading() {
        return !shelf.isIdle();
    }
}
