package dev.fusebox.examples;

import dev.fusebox.breaker.Surroundings;
import dev.fusebox.breaker.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that stands still until a test moves it. Thread-safe; nothing blocks.
final class HandMovedClock implements Ticker, InstantSource {
    private static final Instant START = Instant.parse("2026-01-01T10:00:00Z");

    private final AtomicLong nanos = new AtomicLong();

    void move(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public Instant instant() {
        return START.plusNanos(nanos.get());
    }

    /// A machine that goes by this clock, and on which nobody waits.
    Surroundings surroundings() {
        return new Surroundings(this, this, new Random(1), (blocker, time) -> {
            throw new AssertionError("nothing in this test waits, but " + blocker + " did, for " + time + " ns");
        });
    }
}
