package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.Attempt;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.gateway.era.ClientMetadata;
import dev.fusebox.gateway.era.DetectedEndpoint;
import dev.fusebox.gateway.era.RequestMetadata;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the gateway asks a member for itself: what it offers, whether it is there, and to be told of changes.
/// Thread-safe; blocks for as long as a server may take, and [#listen] for as long as it is told.
final class GatewayRequests {
    private static final CallFailure AWAY = CallFailure.policy(
            ErrorCode.CONNECT_FAILED, "the server is not there at the moment; it will be started again");

    private final UpstreamContext upstreamContext;
    private final ServerRuntime runtime;
    private final Object asker;
    private final RequestMetadata requestMetadata = RequestMetadata.ofGateway();

    /// What is being asked, and on which line.
    private final Map<Deadline, ServerGeneration> running = new ConcurrentHashMap<>();

    /// @param asker whose turn it is when calls wait
    GatewayRequests(UpstreamContext upstreamContext, ServerRuntime runtime, Object asker) {
        this.upstreamContext = upstreamContext;
        this.runtime = runtime;
        this.asker = asker;
    }

    /// Whoever waits for an answer on this line waits no longer: nobody needs to know any more. What holds it up
    /// are calls of clients alone.
    void leave(ServerGeneration generation) {
        running.forEach((deadline, on) -> {
            if (on.equals(generation)) {
                deadline.giveUp();
            }
        });
    }

    private Outcome asked(RuntimeSettings now, Call call, Supplier<Outcome> work) {
        running.put(call.deadline(), now.generation());
        try {
            // Whoever leaves closes the door first and looks then: one of the two finds the other.
            if (now.generation().drainLatch().isClosed()) {
                call.deadline().giveUp();
            }
            return work.get();
        } finally {
            running.remove(call.deadline());
        }
    }

    // ---- What it offers

    /// @param reader over whose connection it is asked; null over the one that clients share
    /// @param mayStart whether a server that is down may be started for it
    CatalogFetcher.Asking over(@Nullable ClientMetadata reader, BooleanSupplier mayStart) {
        return (method, params) -> {
            Message.Request plain = Message.Request.of(JsonRpcFrames.request(RequestId.of(method), method, params));
            return runtime.inside(now -> ask(now, plain, reader, mayStart));
        };
    }

    private Outcome ask(
            RuntimeSettings now, Message.Request plain, @Nullable ClientMetadata reader, BooleanSupplier mayStart) {
        Call call = call(now, plain);
        ClientMetadata ours = as(reader, call.request());
        Attempt once = attempt -> now.generation().endpoint().call(attempt, ours);
        Attempt unlessDown = new UnlessDown(now.generation().lifecycle(), mayStart, once);
        PipelineCall asking = new PipelineCall(call, PipelineCall.Kind.LOOKING, asker, unlessDown);
        return asked(now, call, () -> now.make(asking));
    }

    /// A server that crashes while it is asked is started again when that is due or called for, and not in order
    /// to ask once more: such a start would not be counted. For one thread.
    private static final class UnlessDown implements Attempt {
        private final ServerLifecycle lifecycle;
        private final BooleanSupplier mayStart;
        private final Attempt attempt;
        private @Nullable Outcome last;

        UnlessDown(ServerLifecycle lifecycle, BooleanSupplier mayStart, Attempt attempt) {
            this.lifecycle = lifecycle;
            this.mayStart = mayStart;
            this.attempt = attempt;
        }

        @Override
        public Outcome make(Call call) {
            Outcome before = last;
            if (lifecycle.isAway() && (before != null || !mayStart.getAsBoolean())) {
                return before == null ? new Outcome.Failed(AWAY) : before;
            }
            Outcome outcome = attempt.make(call);
            last = outcome;
            return outcome;
        }
    }

    private Call call(RuntimeSettings now, Message.Request plain) {
        Duration limit = now.rules().timeout().plus(now.generation().connectLimit());
        Deadline deadline =
                new Deadline(limit, Duration.ZERO, upstreamContext.platform().ticker());
        return new Call(requestMetadata.on(plain), deadline, Caller.SILENT);
    }

    // ---- Whether it is there

    /// A call that may be the probe.
    Outcome ping() {
        return runtime.inside(this::ping);
    }

    private Outcome ping(RuntimeSettings now) {
        Call call = call(now, DetectedEndpoint.question());
        PipelineCall asking = new PipelineCall(
                call, PipelineCall.Kind.READING, asker, attempt -> answered(now.generation(), attempt));
        Outcome outcome = asked(now, call, () -> now.pipelineEntry().call(asking));
        now.generation().lifecycle().polled(outcome);
        return outcome;
    }

    /// What a server said when hands were shaken proves nothing now.
    private Outcome answered(ServerGeneration generation, Call attempt) {
        Outcome greeted = generation.endpoint().call(attempt, asOurs(attempt.request()));
        boolean isFelt = greeted instanceof Outcome.Failed || generation.isThere();
        return isFelt
                ? greeted
                : new Outcome.Failed(
                        CallFailure.timeout(runtime.id() + " did not answer when it was asked whether it is there"));
    }

    // ---- What changes

    /// A subscription would keep its place in the lane as long as it lasts; but nobody connects to a server that
    /// is down, or that will be started in its time. One that nobody needed is started for clients that watch
    /// something, and not for ourselves.
    Outcome listen(Call call) {
        RuntimeSettings now = runtime.runtimeSettings();
        boolean isNeeded = call.request().frame().path("params", "notifications", "resourceSubscriptions") != null;
        boolean isAway = now.generation().lifecycle().isAway()
                || now.generation().isBrief()
                || (!isNeeded && now.generation().isResting());
        CallFailure refusal = isAway ? AWAY : now.pipelineEntry().refusal();
        return refusal == null
                ? now.generation().endpoint().call(call, asOurs(call.request()))
                : new Outcome.Failed(refusal);
    }

    /// Over the connection of a guest, where guests have their own: it saves a process that nobody else would use.
    private ClientMetadata asOurs(Message.Request request) {
        return as(reader(null), request);
    }

    /// The client over whose connection the gateway asks what concerns all; null if there is none, or all share
    /// one.
    ///
    /// @param profile of the client that is preferred; null for the one that came first
    @Nullable
    ClientMetadata reader(@Nullable String profile) {
        return runtime.generation().isIsolated()
                ? upstreamContext.clientSessions().first(profile)
                : null;
    }

    private static ClientMetadata as(@Nullable ClientMetadata owner, Message.Request request) {
        ClientMetadata own = Objects.requireNonNull(ClientMetadata.of(request), "our own request has its metadata");
        return owner == null ? own : own.as(owner);
    }
}
