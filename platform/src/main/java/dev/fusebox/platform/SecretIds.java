package dev.fusebox.platform;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/// Random numbers that nobody can guess, for ids that are keys. Apart from the random numbers of a [Platform],
/// which a test may want to repeat. Thread-safe; may block for a moment at the first use.
public final class SecretIds {
    /// Made at the first use, as it takes a while.
    private static final class Source {
        static final SecureRandom RANDOM = new SecureRandom();
    }

    private SecretIds() {}

    /// From the system's own source.
    public static RandomGenerator system() {
        return () -> Source.RANDOM.nextLong();
    }
}
