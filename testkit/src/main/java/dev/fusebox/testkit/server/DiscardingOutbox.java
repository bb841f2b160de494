package dev.fusebox.testkit.server;

import java.time.Duration;

/// Where answers go that nobody asked for.
final class DiscardingOutbox implements Outbox {
    @Override
    public Pieces encode(Pieces frame) {
        return frame;
    }

    @Override
    public void write(Pieces bytes, Duration apart) {
        // Nobody is there.
    }

    @Override
    public void writeLast(Pieces bytes) {
        // Nobody is there.
    }
}
