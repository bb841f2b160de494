package dev.fusebox.simulation.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ConnectionOwner;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Principal;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.PoolRules;
import dev.fusebox.gateway.pool.Borrower;
import dev.fusebox.gateway.pool.Pool;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.simulation.ThreadTimers;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Random tests of servers that share few slots, and clients that call them all the time. At every step there are
/// no more process trees than allowed, the pool cuts off no call, no session loses a process that it has used, and
/// at the end every caller was served or got an error, and only the servers that are kept are left.
///
/// Takes over five seconds: two thousand seeds.
class PoolSimulationTest {
    private static final int SEEDS = Integer.getInteger("seeds", 2_000);
    private static final int SERVERS = 5;
    private static final int CLIENTS = 3;
    private static final int CALLS_EACH = 4;
    private static final String OWN = "own";
    private static final Duration IDLE = Duration.ofSeconds(20);

    /// The longest time of a connect, one call, and the end of a process tree.
    private static final Duration ONE_TURN = Duration.ofSeconds(7);

    /// The time from a decision of the pool to its visible effect.
    private static final Duration A_MOMENT = Duration.ofMillis(100);

    /// Logging waits for the console, which other tests use, too.
    private static final Logger LOG = Logger.getLogger(Pool.class.getName());

    @BeforeAll
    static void silenceLog() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void restoreLog() {
        LOG.setLevel(null);
    }

    @Test
    void pool_keeps_its_limits_ends_no_call_and_lets_no_caller_wait_forever() {
        Seeds.Summary summary = Seeds.count(SEEDS)
                .within(new Limits(1_000_000, Duration.ofSeconds(60)))
                .run(sim -> new Run(sim).begin());

        assertThat(summary.runs()).isPositive();
        assertThat(summary.differentTraces()).as("different runs").isGreaterThan(summary.runs() * 9 / 10);
    }

    /// One run.
    private static final class Run {
        private final Simulation sim;
        private final Platform platform;
        private final PoolScenario scenario;
        private final PoolRules rules;
        private final Pool pool;
        private final List<PooledServer> servers = new ArrayList<>();

        /// The servers of which each client has a process of its own.
        private final List<PooledServer> owned = new ArrayList<>();

        private int expected;
        private int ended;
        private @Nullable Duration inVainSince;

        Run(Simulation sim) {
            this.sim = sim;
            this.platform = ThreadTimers.platform(sim);
            this.scenario = new PoolScenario(sim);
            int size = sim.random().nextInt(1, 4);
            this.rules = new PoolRules(
                    size,
                    new PoolRules.Reserve(
                            sim.random().nextInt(3),
                            Duration.ofMillis(sim.random().nextInt(5_000))),
                    new PoolRules.IdleRules(sim.random().nextInt(size), IDLE),
                    new PoolRules.Waiting(
                            sim.random().nextInt(2, 20),
                            Duration.ofMillis(sim.random().nextInt(1, 30_000))));
            this.pool = new Pool(platform, "pool", rules);
            pool.share(SERVERS + 1);
        }

        void begin() {
            for (int server = 0; server < SERVERS; server++) {
                servers.add(new PooledServer("server " + server, idlePolicy(server)));
            }
            for (int client = 0; client < CLIENTS; client++) {
                owned.add(new PooledServer(OWN, IdlePolicy.usual(), client));
            }
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                int calls = client == 0 ? 3 * CALLS_EACH : CALLS_EACH;
                expected += calls;
                for (int call = 0; call < calls; call++) {
                    sim.spawn("call " + call + " of " + client, () -> call(number));
                }
            }
            sim.spawn("end", this::letAllBeIdle);
            sim.afterEachStep(this::bounds);
            sim.atEnd(() -> assertThat(ended).isEqualTo(expected));
        }

        /// Fewer servers are kept than there are slots: otherwise the others would have none.
        private IdlePolicy idlePolicy(int server) {
            if (server == 0 && rules.size() > 1 && sim.random().nextBoolean()) {
                return new IdlePolicy.KeepAlive(null, false);
            }
            return sim.random().nextInt(3) == 0
                    ? new IdlePolicy.Ephemeral(Duration.ofMillis(sim.random().nextInt(2_000)))
                    : IdlePolicy.usual();
        }

        private void call(int client) throws InterruptedException {
            sim.platform().pause(Duration.ofMillis(sim.random().nextInt(30_000)));
            int server = sim.random().nextInt(SERVERS + 1);
            PooledServer pooledServer = server == SERVERS ? owned.get(client) : servers.get(server);
            Outcome outcome = pooledServer.call(client);
            if (outcome instanceof Outcome.Failed(CallFailure failure)) {
                assertThat(failure.code())
                        .as(failure.message())
                        .isIn(ErrorCode.OVERLOADED, ErrorCode.CONNECT_FAILED, ErrorCode.SERVER_CRASHED);
                assertThat(failure.isConnectionRetired())
                        .as("withdrawn too often")
                        .isFalse();
            }
            ended++;
        }

        private void bounds() {
            int most = rules.size() + rules.reserve().size();
            assertThat(scenario.trees()).isLessThanOrEqualTo(most);
            assertThat(pool.snapshot().taken()).isBetween(scenario.trees(), most);
            assertThat(pool.snapshot().waiting())
                    .isLessThanOrEqualTo(rules.waiting().length());
            assertThat(scenario.cut()).as("calls that the pool cut off").isZero();
            assertThat(owned.stream().filter(PooledServer::isLost))
                    .as("sessions that lost their process")
                    .isEmpty();
            assertThat(owned.stream().filter(PooledServer::isConnected).count())
                    .as("slots of the sessions of one server")
                    .isLessThanOrEqualTo(Math.max(1, rules.size() / 2));
            noteWait();
        }

        /// Records since when callers have waited although an idle server could make room.
        private void noteWait() {
            long ending = (long) pool.snapshot().taken() - scenario.alive();
            boolean isInVain = pool.snapshot().waiting() - withoutProspect() > ending
                    && servers.stream().anyMatch(PooledServer::isIdleForLong);
            inVainSince = !isInVain ? null : inVainSince == null ? sim.elapsed() : inVainSince;
            assertThat(inVainSince == null ? Duration.ZERO : sim.elapsed().minus(inVainSince))
                    .as("how long callers have waited while an idle server could make room")
                    .isLessThan(A_MOMENT);
        }

        /// Sessions whose server has its share do not wait for a slot of another server.
        private long withoutProspect() {
            boolean isSpent = scenario.trees(OWN) >= Math.max(1, rules.size() / 2);
            long connected = owned.stream().filter(PooledServer::isConnected).count();
            long connecting = scenario.alive(OWN) - connected;
            return isSpent ? owned.stream().filter(PooledServer::isOnTheWay).count() - connecting : 0;
        }

        private void letAllBeIdle() throws InterruptedException {
            while (ended < expected) {
                sim.platform().pause(Duration.ofSeconds(1));
                assertThat(sim.elapsed())
                        .isLessThan(ONE_TURN.plus(rules.waiting().limit()).multipliedBy(expected));
            }
            owned.forEach(PooledServer::end);
            sim.platform().pause(IDLE.plus(Duration.ofSeconds(5)));
            long kept = servers.stream().filter(PooledServer::isKept).count();
            // The servers that were used last need not be those that are kept in any case.
            assertThat(scenario.trees())
                    .isLessThanOrEqualTo(
                            Math.toIntExact(kept + rules.idleRules().least()));
            assertThat(pool.snapshot().waiting()).isZero();
            pool.close();
        }

        /// A server, its calls, and its one connection.
        private final class PooledServer implements Borrower {
            private final String name;
            private final IdlePolicy idlePolicy;
            private final ReconnectingConnection connection;
            private int inside;
            private Duration idleSince = Duration.ZERO;
            private Object last = this;
            private boolean holdsState;
            private boolean isLost;

            PooledServer(String name, IdlePolicy idlePolicy) {
                this.name = name;
                this.idlePolicy = idlePolicy;
                this.connection = connection(pool.pooled(scenario.connector(name, () -> {}), () -> this));
            }

            /// @param session the session that owns the process
            PooledServer(String name, IdlePolicy idlePolicy, int session) {
                this.name = name;
                this.idlePolicy = idlePolicy;
                this.connection =
                        connection(pool.pooled(scenario.connector(name, () -> isLost |= holdsState), () -> this)
                                .owned(new ConnectionOwner(Principal.OWNER, session)));
            }

            private ReconnectingConnection connection(Connector connector) {
                return new ReconnectingConnection(
                        platform, connector, ServerMessageHandler.NONE, Duration.ofSeconds(10));
            }

            /// The session ends.
            void end() {
                holdsState = false;
                connection.close();
            }

            /// Whether a process that the session had used was ended during the session.
            boolean isLost() {
                return isLost;
            }

            /// Whether there is a call, and no connection yet.
            boolean isOnTheWay() {
                return inside > 0 && !isConnected();
            }

            boolean isConnected() {
                return connection.connected() != null;
            }

            Outcome call(int client) {
                inside++;
                last = client;
                try {
                    // No caller's deadline is before the pool's.
                    Deadline deadline = new Deadline(Duration.ofHours(1), Duration.ZERO, platform.ticker());
                    Message.Request request =
                            Message.Request.of(JsonRpcFrames.request(RequestId.of("x"), "tools/call", "{}"));
                    Outcome outcome = connection.call(new Call(request, deadline, Caller.SILENT));
                    holdsState = outcome instanceof Outcome.Answered;
                    return outcome;
                } finally {
                    inside--;
                    idleSince = sim.elapsed();
                    pool.rested(this);
                }
            }

            /// Longer than a server is kept for a caller that has waited for it, and than its start may have
            /// taken.
            boolean isIdleForLong() {
                return !isKept()
                        && inside == 0
                        && connection.connected() != null
                        && sim.elapsed().minus(idleSince).compareTo(Duration.ofMillis(5_100)) > 0;
            }

            boolean isKept() {
                return idlePolicy instanceof IdlePolicy.KeepAlive;
            }

            @Override
            public String server() {
                return name;
            }

            @Override
            public IdlePolicy idlePolicy() {
                return idlePolicy;
            }

            @Override
            public boolean isWanted() {
                return inside > 0;
            }

            @Override
            public Object client() {
                return last;
            }
        }
    }
}
