package dev.fusebox.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.simulation.FairQueueModel.Visit;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Random tests of several clients, one of them with very many calls, that send calls of all sizes through one
/// fair bulkhead. Callers time out, give up, are interrupted, and the server restarts. A reference model decides
/// whose turn it is. Every run is replayed and must take the same steps.
class FairBulkheadSimulationTest {
    private static final int SEEDS = Integer.getInteger("seeds", 300);
    private static final int CLIENTS = 4;
    private static final int CALLS_EACH = 12;
    private static final int GREED = 4;
    private static final int BYTES = 100;

    @Test
    void fair_bulkhead_keeps_its_limits_its_order_and_its_waiters() {
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
        private final FairBulkhead.Limits limits;
        private final FairBulkhead bulkhead;
        private final FairQueueModel queue = new FairQueueModel();
        private final Set<Visit> handedOver = new HashSet<>();
        private final Set<Visit> inside = new HashSet<>();
        private int expected;
        private int ended;

        Run(Simulation sim) {
            this.sim = sim;
            this.limits = new FairBulkhead.Limits(
                    sim.random().nextInt(1, 5), sim.random().nextInt(4, 40), BYTES);
            this.bulkhead = new FairBulkhead(limits, sim.platform());
        }

        void begin() {
            for (int client = 0; client < CLIENTS; client++) {
                spawnCallsOf(client, client == 0 ? GREED * CALLS_EACH : CALLS_EACH);
            }
            if (sim.random().nextInt(3) == 0) {
                sim.spawn("breaker", this::restartNowAndThen);
            }
            sim.afterEachStep(this::invariants);
            sim.atEnd(this::checkEnd);
        }

        private void spawnCallsOf(int client, int calls) {
            expected += calls;
            for (int number = 0; number < calls; number++) {
                Visit visit = new Visit(client, number, sim.random().nextInt(BYTES + 20));
                sim.spawn("call " + number + " of " + client, () -> come(visit));
            }
        }

        private void come(Visit visit) throws InterruptedException {
            sim.platform()
                    .pause(Duration.ofMillis(
                            visit.client() == 0 ? 1 : sim.random().nextInt(20_000)));
            Deadline deadline = deadline();
            boolean isQueueEmpty = queue.size() == 0;
            queue.add(visit);
            try {
                if (bulkhead.enter(visit.client(), visit.bytes(), deadline) instanceof FairBulkhead.Slot slot) {
                    // Either the place was handed over, or it was free and no call waited for it.
                    assertThat(handedOver.remove(visit) || (queue.remove(visit) && isQueueEmpty))
                            .as("%s was admitted in its turn", visit)
                            .isTrue();
                    stay(visit, slot);
                }
            } catch (InterruptedException interrupted) {
                handedOver.remove(visit);
            }
            queue.remove(visit);
            followTheBulkhead();
            ended++;
        }

        /// Of ten callers one gives up, and one is interrupted.
        private Deadline deadline() {
            Duration work = Duration.ofMillis(sim.random().nextInt(1, 60_000));
            Deadline deadline =
                    new Deadline(work, Duration.ofMinutes(1), sim.platform().ticker());
            Thread self = Thread.currentThread();
            Duration soon = Duration.ofMillis(sim.random().nextInt(10_000));
            switch (sim.random().nextInt(10)) {
                case 0 -> sim.platform().timers().schedule(soon, deadline::giveUp);
                case 1 -> sim.platform().timers().schedule(soon, self::interrupt);
                default -> {}
            }
            return deadline;
        }

        private void stay(Visit visit, FairBulkhead.Slot slot) throws InterruptedException {
            inside.add(visit);
            try (slot) {
                sim.platform().pause(Duration.ofMillis(sim.random().nextInt(1, 3_000)));
                slot.answered();
            } finally {
                inside.remove(visit);
                followTheBulkhead();
            }
        }

        /// Calls that do not wait there any more were handed a place, in the order of the model.
        private void followTheBulkhead() {
            while (queue.size() > bulkhead.waiting()) {
                handedOver.add(queue.take());
            }
        }

        private void restartNowAndThen() throws InterruptedException {
            for (int i = 0; i < 5; i++) {
                sim.platform().pause(Duration.ofSeconds(sim.random().nextInt(10)));
                bulkhead.restartSlowly();
                followTheBulkhead();
            }
        }

        private void invariants() {
            assertThat(bulkhead.inFlight()).isBetween(0, limits.callsAtOnce());
            assertThat(bulkhead.waiting()).isBetween(0, limits.callQueueLength());
            assertThat(bulkhead.waiting()).isEqualTo(queue.size());
            assertThat(inside.size() + handedOver.size()).isEqualTo(bulkhead.inFlight());
            assertThat(bulkhead.waiting() == 0 || !hasRoomFor(queue.first()))
                    .as("no call waits while there is room")
                    .isTrue();
            assertThat(bytesInside() <= BYTES || bulkhead.inFlight() == 1).isTrue();
        }

        /// During a restart there may be less room, but never none.
        private boolean hasRoomFor(Visit visit) {
            boolean fits = bytesInside() + visit.bytes() <= BYTES;
            boolean isUsual = bulkhead.limit() == limits.callsAtOnce();
            return bulkhead.inFlight() == 0 || (isUsual && fits && bulkhead.inFlight() < limits.callsAtOnce());
        }

        private long bytesInside() {
            return Stream.concat(inside.stream(), handedOver.stream())
                    .mapToLong(Visit::bytes)
                    .sum();
        }

        private void checkEnd() {
            assertThat(ended).isEqualTo(expected);
            assertThat(bulkhead.inFlight()).isZero();
            assertThat(bulkhead.waiting()).isZero();
        }
    }
}
