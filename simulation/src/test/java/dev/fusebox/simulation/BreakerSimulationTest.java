package dev.fusebox.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.Admission;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Bulkhead;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.Permit;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// Random tests of many callers that use one bulkhead and one breaker for a server that fails for some minutes.
/// Callers give up, abandon their permit, and are interrupted; operators force the breaker open and reset it.
/// Every run is replayed and must take the same steps.
///
/// Takes over five seconds: every seed runs twice.
class BreakerSimulationTest {
    private static final int SEEDS = Integer.getInteger("seeds", 600);
    private static final int CALLERS = 12;
    private static final int CALLS_EACH = 15;
    private static final int INSIDE = 4;
    private static final int WAITING = 5;
    private static final Duration SICK_FOR = Duration.ofMinutes(3);

    @Test
    void failing_server_callers_and_operators_never_break_an_invariant() {
        Seeds.Summary summary = Seeds.count(SEEDS)
                .within(new Limits(2_000_000, Duration.ofSeconds(60)))
                .replayingEach()
                .run(sim -> new Run(sim).begin());

        assertThat(summary.runs()).isPositive();
        assertThat(summary.differentTraces()).as("different runs").isGreaterThan(summary.runs() * 9 / 10);
    }

    /// One run.
    private static final class Run {
        private final Simulation sim;
        private final FailingServer server;
        private final BreakerPolicy policy;
        private final CircuitBreaker breaker;
        private final Bulkhead bulkhead;
        private final Transitions transitions;
        private int ended;
        private int lost;

        Run(Simulation sim) {
            this.sim = sim;
            this.server = new FailingServer(sim, SICK_FOR);
            this.policy = policyOf(sim);
            this.breaker = CircuitBreaker.named("simulated")
                    .policy(policy)
                    .surroundings(BreakerSurroundings.of(sim.platform()))
                    .build();
            this.bulkhead = new Bulkhead(INSIDE, WAITING, BreakerSurroundings.of(sim.platform()));
            this.transitions = new Transitions(breaker);
        }

        private static BreakerPolicy policyOf(Simulation sim) {
            TripRule rule = sim.random().nextBoolean()
                    ? new TripRule.Consecutive(3)
                    : TripRule.SlidingWindow.of(Duration.ofMinutes(1), 5, 3).orFailureRate(0.5);
            int probes = sim.random().nextInt(1, 4);
            return BreakerPolicy.defaults()
                    .with(rule)
                    .with(Cooldown.growing(Duration.ofSeconds(5)))
                    .with(new HalfOpen(probes, sim.random().nextInt(1, probes + 1)))
                    .withCallTimeout(FailingServer.CALL_TIMEOUT);
        }

        void begin() {
            for (int i = 0; i < CALLERS; i++) {
                sim.spawn("caller " + i, this::callRepeatedly);
            }
            if (sim.random().nextInt(4) == 0) {
                sim.spawn("operator", this::operate);
            }
            sim.afterEachStep(this::invariants);
            sim.atEnd(this::checkEnd);
        }

        private void callRepeatedly() throws InterruptedException {
            for (int i = 0; i < CALLS_EACH; i++) {
                sim.platform().pause(Duration.ofMillis(sim.random().nextInt(20_000)));
                call();
                ended++;
            }
        }

        /// The order of a pipeline: the breaker is asked after there is room in the bulkhead, not before.
        private void call() throws InterruptedException {
            if (!(bulkhead.enter(Duration.ofSeconds(2)) instanceof Bulkhead.Slot slot)) {
                return;
            }
            try (slot) {
                Admission admission = breaker.tryAcquire();
                if (admission instanceof Permit permit) {
                    callWith(permit);
                }
            }
        }

        private void callWith(Permit permit) throws InterruptedException {
            boolean vanishes = sim.random().nextInt(20) == 0;
            if (vanishes) {
                // Its caller was lost: only the end of the lease frees the probe.
                lost++;
                return;
            }
            try (permit) {
                if (sim.random().nextInt(10) == 0) {
                    sim.giveWay();
                    return; // cancelled: closing the permit abandons it
                }
                server.call();
                permit.succeeded();
            } catch (TimeoutException | IllegalStateException failure) {
                permit.failed("offline");
            }
        }

        private void operate() throws InterruptedException {
            sim.platform().pause(Duration.ofSeconds(sim.random().nextInt(120)));
            switch (sim.random().nextInt(3)) {
                case 0 -> breaker.forceOpen("maintenance");
                case 1 -> breaker.disable();
                default -> breaker.reset();
            }
            sim.platform().pause(Duration.ofSeconds(sim.random().nextInt(60)));
            breaker.reset();
        }

        private void invariants() {
            assertThat(bulkhead.inside()).isBetween(0, INSIDE);
            assertThat(bulkhead.waiting()).isBetween(0, WAITING);
            assertThat(server.underWay()).isLessThanOrEqualTo(INSIDE);
            assertThat(breaker.snapshot().testsUnderWay())
                    .isLessThanOrEqualTo(policy.halfOpen().maxCalls());
            transitions.check();
        }

        private void checkEnd() {
            assertThat(ended).isEqualTo(CALLERS * CALLS_EACH);
            assertThat(bulkhead.inside()).isZero();
            assertThat(bulkhead.waiting()).isZero();
            assertThat(server.underWay()).isZero();
            assertThat(server.executed() + lost).isLessThanOrEqualTo(CALLERS * CALLS_EACH);
        }
    }

    /// Whether the last probe ended or was lost, the breaker later admits a call, and closes once the server is
    /// healthy.
    @Test
    void breaker_always_recovers_with_its_server() {
        Seeds.count(SEEDS).run(sim -> {
            FailingServer server = new FailingServer(sim, SICK_FOR);
            CircuitBreaker breaker = CircuitBreaker.named("simulated")
                    .policy(BreakerPolicy.defaults().with(new HalfOpen(2, 2)))
                    .surroundings(BreakerSurroundings.of(sim.platform()))
                    .build();
            for (int i = 0; i < 4; i++) {
                sim.spawn("caller " + i, () -> callUntilHealthy(sim, server, breaker));
            }
            sim.atEnd(() -> assertThat(breaker.state()).isEqualTo(State.CLOSED));
        });
    }

    /// Calls for twenty minutes, longer than the outage, the longest cooldown, and several leases.
    private static void callUntilHealthy(Simulation sim, FailingServer server, CircuitBreaker breaker)
            throws InterruptedException {
        while (sim.elapsed().compareTo(Duration.ofMinutes(20)) < 0) {
            boolean loses = !server.isWell() && sim.random().nextInt(3) == 0;
            if (breaker.tryAcquire() instanceof Permit permit && !loses) {
                try (permit) {
                    server.call();
                    permit.succeeded();
                } catch (TimeoutException | IllegalStateException failure) {
                    permit.failed("offline");
                }
            }
            sim.platform().pause(Duration.ofMillis(sim.random().nextInt(1, 5_000)));
        }
    }
}
