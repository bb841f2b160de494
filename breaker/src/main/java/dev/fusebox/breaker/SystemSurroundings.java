package dev.fusebox.breaker;

import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** The edge of the library: the only class that touches a real clock, real chance and real waiting. */
final class SystemSurroundings {
    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();

    static final Surroundings INSTANCE =
            new Surroundings(System::nanoTime, InstantSource.system(), RANDOM, LockSupport::parkNanos);

    private SystemSurroundings() {}
}
