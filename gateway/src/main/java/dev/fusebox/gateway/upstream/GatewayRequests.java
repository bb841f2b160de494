package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.catalog.CatalogFetcher;
import dev.fusebox.gateway.era.DetectedEndpoint;
import dev.fusebox.gateway.era.SubscriptionFilter;
import dev.fusebox.gateway.lifecycle.ServerLifecycle;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The gateway's own requests to one server: lists, health checks, and subscriptions. Thread-safe; blocks up to
/// the server's timeout, and [#listen] as long as the subscription lasts.
final class GatewayRequests {
    private static final CallFailure AWAY =
            CallFailure.policy(ErrorId.CONNECT_FAILED, "the server is not running; restart scheduled");

    private final UpstreamContext upstreamContext;
    private final ServerRuntime runtime;
    private final Clients clients;
    private final Object asker;

    /// Requests in flight, each with its generation.
    private final Map<Deadline, ServerGeneration> running = new ConcurrentHashMap<>();

    /// The clients of the server.
    ///
    /// @param readers those over whose connections it is asked
    /// @param groups those that share a process
    record Clients(UpstreamContext.Readers readers, ProcessGroups groups) {}

    /// @param asker the queue key of these requests in the fair bulkhead
    GatewayRequests(UpstreamContext upstreamContext, ServerRuntime runtime, Clients clients, Object asker) {
        this.upstreamContext = upstreamContext;
        this.runtime = runtime;
        this.clients = clients;
        this.asker = asker;
    }

    /// Abandons the requests on a generation that was replaced: its drain waits for client calls only.
    void leave(ServerGeneration generation) {
        running.forEach((deadline, on) -> {
            if (on.equals(generation)) {
                deadline.giveUp();
            }
        });
    }

    private Outcome make(ServerGeneration now, PipelineCall request) {
        Deadline deadline = request.call().deadline();
        ServerGeneration.Settings rules = now.settings();
        running.put(deadline, now);
        try {
            // A generation is closed before its requests are abandoned: one of the two sees the other.
            if (now.isClosed()) {
                deadline.giveUp();
            }
            now.begin(asker);
            return rules.pipeline().call(request, rules.arbiter());
        } finally {
            running.remove(deadline);
        }
    }

    private Call call(ServerGeneration now, Message.Request request, @Nullable ClientMetadata reader) {
        Duration limit = now.settings().policy().timeout().plus(now.connectLimit());
        Deadline deadline =
                new Deadline(limit, Duration.ZERO, upstreamContext.platform().ticker());
        return new Call(request, ofGateway(reader), deadline, Caller.SILENT);
    }

    // ---- Lists

    /// Reads the lists. Blocks as long as the server takes.
    ///
    /// @param reader client whose connection is used; null for the shared one
    /// @param mayStart whether a server that is down may be started for it
    /// @param last contents as of the last reading
    CatalogFetcher.Listed lists(@Nullable ClientMetadata reader, BooleanSupplier mayStart, CatalogContents last) {
        CatalogFetcher.RequestSender requestSender = (method, params) -> {
            Message.Request request = Message.Request.of(JsonRpcFrames.request(RequestId.of(method), method, params));
            ServerGeneration now = runtime.enter();
            if (now == null) {
                return new Outcome.Failed(runtime.closed());
            }
            try {
                Endpoint endpoint = new UnlessDown(now.lifecycle(), mayStart, now.endpoint());
                Call call = call(now, request, reader);
                return make(now, new PipelineCall(call, PipelineCall.Kind.LOOKING, asker, endpoint));
            } finally {
                now.leave();
            }
        };
        return new CatalogFetcher(runtime.id(), requestSender, upstreamContext.pages()).fetch(last);
    }

    /// An endpoint that does not start a server that is down: a server that crashes while its lists are read is
    /// restarted by its lifecycle, where the restart counts against the crash budget. For one thread.
    private static final class UnlessDown implements Endpoint {
        private final ServerLifecycle lifecycle;
        private final BooleanSupplier mayStart;
        private final Endpoint endpoint;
        private @Nullable Outcome last;

        UnlessDown(ServerLifecycle lifecycle, BooleanSupplier mayStart, Endpoint endpoint) {
            this.lifecycle = lifecycle;
            this.mayStart = mayStart;
            this.endpoint = endpoint;
        }

        @Override
        public Outcome call(Call call) {
            Outcome before = last;
            if (lifecycle.isUnavailable() && (before != null || !mayStart.getAsBoolean())) {
                return before == null ? new Outcome.Failed(AWAY) : before;
            }
            Outcome outcome = endpoint.call(call);
            last = outcome;
            return outcome;
        }
    }

    // ---- Health checks

    /// Checks the server's health with a call that may be the probe of its breaker.
    Outcome ping() {
        ServerGeneration now = runtime.enter();
        if (now == null) {
            return new Outcome.Failed(runtime.closed());
        }
        try {
            Call call = call(now, DetectedEndpoint.question(), reader(null));
            Outcome outcome = make(
                    now, new PipelineCall(call, PipelineCall.Kind.READING, asker, attempt -> checked(now, attempt)));
            now.lifecycle().polled(outcome);
            return outcome;
        } finally {
            now.leave();
        }
    }

    /// The answer may come from the handshake, which proves nothing about the present.
    private Outcome checked(ServerGeneration now, Call attempt) {
        Outcome greeted = now.endpoint().call(attempt);
        boolean isAlive = greeted instanceof Outcome.Failed || now.isThere();
        return isAlive
                ? greeted
                : new Outcome.Failed(CallFailure.timeout(runtime.id() + " did not answer a health check"));
    }

    // ---- Subscriptions

    /// Subscribes outside of the pipeline: a subscription would hold its permit as long as it lasts. The
    /// gateway's own subscription does not start a process.
    Outcome listen(Call call) {
        return listen(call, reader(null));
    }

    /// The same over the connection of this client.
    Outcome listen(Call call, @Nullable ClientMetadata client) {
        ServerGeneration now = runtime.generation();
        JsonView wanted = call.request().frame().path("params", "notifications");
        boolean isNeeded = wanted != null
                && (wanted.member(SubscriptionFilter.RESOURCES) != null
                        || wanted.member(SubscriptionFilter.TASK_IDS) != null);
        boolean isAway = now.lifecycle().isUnavailable() || now.isBrief() || (!isNeeded && now.isResting());
        CallFailure refusal = isAway ? AWAY : now.settings().pipeline().refusal();
        return refusal == null ? now.endpoint().call(call.of(ofGateway(client))) : new Outcome.Failed(refusal);
    }

    /// The client whose connection carries requests that concern all clients; null if there is no client, or
    /// all share one connection. It avoids an extra process.
    ///
    /// @param profile of the preferred client; null for the one that came first
    @Nullable
    ClientMetadata reader(@Nullable String profile) {
        ClientMetadata first =
                runtime.generation().isIsolated() ? clients.readers().first(profile) : null;
        return first == null ? null : clients.groups().as(first);
    }

    private static ClientMetadata ofGateway(@Nullable ClientMetadata owner) {
        return owner == null ? ClientMetadata.OF_GATEWAY : ClientMetadata.OF_GATEWAY.as(owner);
    }
}
