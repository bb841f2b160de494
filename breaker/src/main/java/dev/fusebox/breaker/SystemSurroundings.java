package dev.fusebox.breaker;

import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** The real surroundings: the only class that uses a real clock, real random numbers and real waiting. */
final class SystemSurroundings {
    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();

    static final Surroundings INSTANCE =
            new Surroundings(System::nanoTime, InstantSource.system(), RANDOM, LockSupport::parkNanos);

    private SystemSurroundings() {}
}
