package dev.fusebox.simulation.pool;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// In-memory servers that take time to start, to answer and to end; some fail to start, and some crash. Counts the
/// process trees. For the threads of one simulation.
final class PoolScenario {
    private final Simulation sim;
    private final List<Tree> trees = new ArrayList<>();
    private int cut;

    PoolScenario(Simulation sim) {
        this.sim = sim;
    }

    /// Process trees that have not ended completely.
    int trees() {
        return trees.size();
    }

    /// Processes that have not ended.
    int alive() {
        return Math.toIntExact(trees.stream().filter(process -> !process.ended).count());
    }

    /// Process trees of one server that have not ended completely.
    int trees(String server) {
        return Math.toIntExact(
                trees.stream().filter(process -> process.server.equals(server)).count());
    }

    /// Processes of one server that have not ended.
    int alive(String server) {
        return Math.toIntExact(trees.stream()
                .filter(process -> process.server.equals(server) && !process.ended)
                .count());
    }

    /// Calls that were in flight when the pool ended their server.
    int cut() {
        return cut;
    }

    /// @param isTaken called for each connection that the pool ends, not for those that crash
    Connector connector(String server, Runnable isTaken) {
        return serverMessageHandler -> open(new Tree(server, serverMessageHandler, isTaken));
    }

    private Duration upTo(int millis) {
        return Duration.ofMillis(sim.random().nextInt(1, millis));
    }

    private Connector.Opened open(Tree process) {
        try {
            trees.add(process);
            sim.platform().pause(upTo(2_000));
            if (sim.random().nextInt(12) == 0) {
                trees.remove(process);
                return new Connector.Opened.Refused(
                        CallFailure.notSent(ErrorId.CONNECT_FAILED, FailureCategory.OFFLINE, "does not start"));
            }
            return new Connector.Opened.Connected(process);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /// A process with its tree.
    private final class Tree implements Connection {
        private final String server;
        private final ServerMessageHandler serverMessageHandler;
        private final Runnable isTaken;
        private final List<Thread> mourners = new ArrayList<>();
        private int calls;
        private boolean ended;

        Tree(String server, ServerMessageHandler serverMessageHandler, Runnable isTaken) {
            this.server = server;
            this.serverMessageHandler = serverMessageHandler;
            this.isTaken = isTaken;
        }

        @Override
        public Outcome call(Call call) {
            if (ended) {
                return new Outcome.Failed(
                        CallFailure.notSent(ErrorId.SERVER_EXITED, FailureCategory.STDIO_EXIT, "has crashed"));
            }
            calls++;
            try {
                sim.platform().pause(upTo(3_000));
                if (!ended && sim.random().nextInt(20) == 0) {
                    die();
                }
                return ended ? dead() : answered(call);
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            } finally {
                calls--;
            }
        }

        private static Outcome dead() {
            return new Outcome.Failed(new CallFailure(
                    ErrorId.SERVER_EXITED, FailureCategory.STDIO_EXIT, Delivery.UNKNOWN, "crashed", Evidence.NONE));
        }

        private static Outcome answered(Call call) {
            return new Outcome.Answered(
                    Message.Answer.of(JsonRpcFrames.result(call.request().id(), "{}")));
        }

        private void die() {
            end();
            serverMessageHandler.lost(
                    this, CallFailure.notSent(ErrorId.SERVER_EXITED, FailureCategory.STDIO_EXIT, "crashed"));
        }

        private void end() {
            ended = true;
            sim.spawn("ending", () -> {
                sim.platform().pause(upTo(1_600));
                trees.remove(this);
                mourners.forEach(LockSupport::unpark);
            });
        }

        @Override
        public void close() {
            if (!ended) {
                cut += calls;
                isTaken.run();
                end();
                serverMessageHandler.lost(
                        this, CallFailure.notSent(ErrorId.CANCELLED, FailureCategory.LOCAL, "ended by the pool"));
            }
        }

        @Override
        public boolean awaitGone(Duration limit) throws InterruptedException {
            mourners.add(Thread.currentThread());
            return sim.platform().await(limit, () -> !trees.contains(this));
        }

        @Override
        public void sendOneWay(byte[] notification) {
            // Notifications are ignored.
        }

        @Override
        public void answer(JsonView answer, RequestId question) {
            // It sends no requests.
        }

        @Override
        public boolean isAlive() {
            return !ended;
        }

        @Override
        public long lastReceivedAt() {
            return 0;
        }

        @Override
        public @Nullable Long process() {
            return null;
        }

        @Override
        public long dropped() {
            return 0;
        }
    }
}
