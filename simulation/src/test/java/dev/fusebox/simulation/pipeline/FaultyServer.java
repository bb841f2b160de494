package dev.fusebox.simulation.pipeline;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Promise;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/// A simulated server that answers most calls, leaves some without a response, and crashes in others. It is
/// available again 200 ms after a crash. For the threads of one simulation.
final class FaultyServer implements Liveness {
    private static final Duration START = Duration.ofMillis(200);
    private static final CallFailure CRASH = new CallFailure(
                    ErrorId.SERVER_EXITED,
                    FailureCategory.STDIO_EXIT,
                    Delivery.UNKNOWN,
                    "exited with code 1",
                    Evidence.ofExit(1, null, List.of()))
            .of(Evidence.Extent.CONNECTION);

    private final Platform platform;
    private final Map<Deadline, Promise<Outcome>> calls = new LinkedHashMap<>();
    private BiConsumer<Connection, CallFailure> lost = (connection, failure) -> {};
    private long upAt = Long.MIN_VALUE;

    /// The treatment of a call.
    enum Fate {
        ANSWERED,
        HANGS,
        CRASHES
    }

    FaultyServer(Platform platform) {
        this.platform = platform;
    }

    /// The receiver of lost connections.
    void tell(BiConsumer<Connection, CallFailure> witness) {
        lost = witness;
    }

    /// @param takes the time until the response or the crash
    Outcome call(Call call, Fate fate, Duration takes) {
        Deadline deadline = call.deadline();
        Promise<Outcome> promise = new Promise<>();
        try {
            awaitStart();
            calls.put(deadline, promise);
            switch (fate) {
                case ANSWERED -> platform.timers().schedule(takes, () -> promise.complete(answer(call.request())));
                case CRASHES -> platform.timers().schedule(takes, () -> crash(deadline, promise));
                case HANGS -> {}
            }
            Outcome outcome = deadline.await(promise, platform);
            return outcome == null ? new Outcome.Failed(CallFailure.timeout("timed out")) : outcome;
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        } finally {
            calls.remove(deadline);
        }
    }

    /// A start takes much less than the time limit of a call, and may end in another crash.
    private void awaitStart() throws InterruptedException {
        for (long left = untilUp(); left > 0; left = untilUp()) {
            platform.pause(Duration.ofNanos(left));
        }
    }

    private long untilUp() {
        return upAt == Long.MIN_VALUE ? 0 : upAt - platform.ticker().nanos();
    }

    private static Outcome answer(Message.Request request) {
        return new Outcome.Answered(Message.Answer.of(JsonRpcFrames.result(request.id(), "{\"content\":[]}")));
    }

    /// A call that an earlier crash has ended crashes nothing.
    private void crash(Deadline deadline, Promise<Outcome> promise) {
        if (calls.get(deadline) != promise) {
            return;
        }
        List<Promise<Outcome>> ended = new ArrayList<>(calls.values());
        upAt = platform.ticker().nanos() + START.toNanos();
        lost.accept(new Ended(List.copyOf(calls.keySet())), CRASH);
        ended.forEach(each -> each.complete(new Outcome.Failed(CRASH)));
    }

    // ---- Pings: the process answers whenever it is up

    @Override
    public HealthCheckResult checkHealth(long since, Duration limit) {
        return HealthCheckResult.ALIVE;
    }

    @Override
    public boolean hasReceivedSince(long then) {
        return true;
    }

    @Override
    public void disconnect() {
        // This server is never silent.
    }

    /// The connection that was lost.
    ///
    /// @param inFlight the calls that it ended
    private record Ended(List<Deadline> inFlight) implements Connection {
        @Override
        public Outcome call(Call call) {
            return new Outcome.Failed(CallFailure.cancelledUnsent());
        }

        @Override
        public void sendOneWay(byte[] notification) {
            // There is no process.
        }

        @Override
        public void answer(JsonView answer, RequestId question) {
            // There is no process.
        }

        @Override
        public boolean isAlive() {
            return false;
        }

        @Override
        public long lastReceivedAt() {
            return 0;
        }

        @Override
        public long dropped() {
            return 0;
        }

        @Override
        public void close() {
            // It is already closed.
        }
    }
}
