package dev.fusebox.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.SendOrder;
import dev.fusebox.client.SendSlot;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Random tests of clients that send messages to servers with several connections each, some of which open late.
/// Some messages wait for something else first, some are never sent, some time out. Every connection must see the
/// messages that were only sent in order, each as soon as it could be sent. Every run is replayed and must take
/// the same steps.
class SendOrderSimulationTest {
    private static final int SEEDS = Integer.getInteger("seeds", 300);
    private static final int CLIENTS = 2;
    private static final int SERVERS = 2;
    private static final int CONNECTIONS = 2;
    private static final int MESSAGES = 30;
    private static final Duration LONG = Duration.ofHours(1);
    private static final List<Fate> FATES = List.of(Fate.values());

    @Test
    void messages_of_one_client_reach_a_connection_in_order_without_delay() {
        Seeds.Summary summary = Seeds.count(SEEDS)
                .within(new Limits(2_000_000, Duration.ofSeconds(60)))
                .replayingEach()
                .run(sim -> new Run(sim).begin());

        assertThat(summary.runs()).isPositive();
        assertThat(summary.differentTraces()).as("different runs").isGreaterThan(summary.runs() * 9 / 10);
    }

    /// The course of a message.
    private enum Fate {
        SENT,
        WAITS_FIRST,
        NEVER_SENT,
        RUNS_OUT_OF_TIME
    }

    /// @param connection the number among the connections of all servers
    private record Message(int client, int number, int connection, Fate fate) {
        String server() {
            return "server " + connection / CONNECTIONS;
        }
    }

    /// One run.
    private static final class Run {
        private final Simulation sim;
        private final List<List<Message>> arrived = new ArrayList<>();
        private final List<Duration> opensAt = new ArrayList<>();
        private int ended;

        Run(Simulation sim) {
            this.sim = sim;
        }

        void begin() {
            for (int i = 0; i < SERVERS * CONNECTIONS; i++) {
                arrived.add(new ArrayList<>());
                boolean isLate = sim.random().nextInt(3) == 0;
                opensAt.add(Duration.ofMillis(isLate ? sim.random().nextInt(1, 2_000) : 0));
            }
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                sim.spawn("reader of " + client, () -> read(client));
            }
            sim.atEnd(this::checkEnd);
        }

        private void read(int client) throws InterruptedException {
            SendOrder order = new SendOrder();
            for (int number = 0; number < MESSAGES; number++) {
                Fate fate = sim.random().nextInt(3) > 0 ? Fate.SENT : any();
                int connection = sim.random().nextInt(SERVERS * CONNECTIONS);
                Message message = new Message(client, number, connection, fate);
                SendSlot slot = order.next();
                sim.spawn(client + "/" + number, () -> work(message, slot));
                if (sim.random().nextInt(4) == 0) {
                    sim.platform().pause(Duration.ofMillis(sim.random().nextInt(200)));
                }
            }
        }

        private Fate any() {
            return FATES.get(sim.random().nextInt(FATES.size()));
        }

        private void work(Message message, SendSlot slot) throws InterruptedException {
            Duration read = sim.elapsed();
            sim.giveWay();
            slot.toServer(message.server());
            sim.giveWay();
            if (message.fate() == Fate.WAITS_FIRST) {
                slot.release();
                sim.platform().pause(Duration.ofMillis(sim.random().nextInt(5_000)));
            }
            if (message.fate() != Fate.NEVER_SENT) {
                send(message, slot, read);
            }
            slot.release();
            slot.release();
            ended++;
        }

        private void send(Message message, SendSlot slot, Duration read) throws InterruptedException {
            slot.toConnection(message.connection());
            Duration opens = opensAt.get(message.connection());
            if (sim.elapsed().compareTo(opens) < 0) {
                slot.connecting();
                sim.platform().pause(opens.minus(sim.elapsed()));
            }
            slot.toConnection(message.connection());
            sim.giveWay();
            boolean isShort = message.fate() == Fate.RUNS_OUT_OF_TIME;
            Duration end = isShort ? sim.elapsed().plusMillis(sim.random().nextInt(500)) : LONG;
            if (!slot.await(sim.platform(), () -> end.minus(sim.elapsed()).toNanos())) {
                assertThat(message.fate()).isEqualTo(Fate.RUNS_OUT_OF_TIME);
                return;
            }
            arrived.get(message.connection()).add(message);
            if (message.fate() == Fate.SENT) {
                Duration possible = read.compareTo(opens) < 0 ? opens : read;
                assertThat(sim.elapsed()).as("when %s was sent", message).isEqualTo(possible);
            }
        }

        private void checkEnd() {
            assertThat(ended).isEqualTo(CLIENTS * MESSAGES);
            arrived.forEach(this::isInOrder);
        }

        private void isInOrder(List<Message> all) {
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                assertThat(all.stream()
                                .filter(message -> message.client() == client && message.fate() != Fate.WAITS_FIRST)
                                .map(Message::number))
                        .isSorted();
            }
        }
    }
}
