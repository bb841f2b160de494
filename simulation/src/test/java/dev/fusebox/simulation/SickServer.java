package dev.fusebox.simulation;

import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/// A server as a caller meets it: it is well for a while and sick for a while, and a sick one refuses, hangs, or
/// answers so late that nobody waits any more. What it does at a moment follows from the seed.
final class SickServer {
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

    private final Simulation sim;
    private final Duration wellAgainAfter;
    private int underWay;
    private int executed;

    SickServer(Simulation sim, Duration wellAgainAfter) {
        this.sim = sim;
        this.wellAgainAfter = wellAgainAfter;
    }

    boolean isWell() {
        return sim.elapsed().compareTo(wellAgainAfter) >= 0;
    }

    int underWay() {
        return underWay;
    }

    int executed() {
        return executed;
    }

    /// Returns after a good answer, throws after anything else; never takes longer than the timeout.
    void call() throws InterruptedException, TimeoutException {
        executed++;
        underWay++;
        try {
            if (isWell()) {
                answerIn(sim.random().nextInt(1, 2_000));
            } else {
                failSomehow();
            }
        } finally {
            underWay--;
        }
    }

    private void failSomehow() throws InterruptedException, TimeoutException {
        switch (sim.random().nextInt(3)) {
            case 0 -> throw new IllegalStateException("refused");
            case 1 -> {
                answerIn(sim.random().nextInt(1, 3_000));
                throw new IllegalStateException("broke in the middle");
            }
            default -> {
                sim.platform().pause(CALL_TIMEOUT);
                throw new TimeoutException("hung");
            }
        }
    }

    private void answerIn(int millis) throws InterruptedException {
        sim.platform().pause(Duration.ofMillis(millis));
    }
}
