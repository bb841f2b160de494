package dev.fusebox.platform;

import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/// Random numbers from the calling thread's own generator. Thread-safe without contention.
final class SystemRandom implements RandomGenerator {
    @Override
    public long nextLong() {
        return ThreadLocalRandom.current().nextLong();
    }
}
