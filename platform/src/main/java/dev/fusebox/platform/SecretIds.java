package dev.fusebox.platform;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/// Source of unpredictable random numbers, for ids that serve as keys. Separate from the random numbers of a
/// [Platform], which tests make repeatable. Thread-safe; may block for a moment at the first use.
public final class SecretIds {
    /// Created at the first use, because that takes a while.
    private static final class Source {
        static final SecureRandom RANDOM = new SecureRandom();
    }

    private SecretIds() {}

    /// The random generator of the system.
    public static RandomGenerator system() {
        return () -> Source.RANDOM.nextLong();
    }
}
