package dev.fusebox.breaker;

import java.time.InstantSource;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The library's access to its environment: time, random numbers, and waiting. As thread-safe as its four parts.
 *
 * @param ticker measures every interval
 * @param wall is only printed; its jumps change no decision
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
