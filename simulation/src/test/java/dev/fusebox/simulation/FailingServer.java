package dev.fusebox.simulation;

import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/// A simulated server that alternates between healthy and failing; when it fails it refuses, hangs, or answers
/// after the timeout. Its behavior at any time follows from the seed.
final class FailingServer {
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

    private final Simulation sim;
    private final Duration wellAgainAfter;
    private int underWay;
    private int executed;

    FailingServer(Simulation sim, Duration wellAgainAfter) {
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

    /// Returns after a success, throws after a failure; never takes longer than the timeout.
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
                throw new IllegalStateException("connection lost");
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
