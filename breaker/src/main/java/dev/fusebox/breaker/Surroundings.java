package dev.fusebox.breaker;

import java.time.InstantSource;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * What the library takes from outside: time, random numbers, and waiting. Thread-safe as far as its four parts are.
 *
 * @param ticker measures every interval
 * @param wall is printed and nothing else; its jumps change no decision
 * @param random spreads cooldowns and retries
 * @param parker waits for a limited time
 */
public record Surroundings(Ticker ticker, InstantSource wall, RandomGenerator random, Parker parker) {
    public Surroundings {
        Objects.requireNonNull(ticker, "ticker");
        Objects.requireNonNull(wall, "wall");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(parker, "parker");
    }

    /** The real clock, random numbers and waiting of this machine. */
    public static Surroundings system() {
        return SystemSurroundings.INSTANCE;
    }
}
