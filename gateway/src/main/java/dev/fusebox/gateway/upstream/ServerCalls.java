package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.ServerCatalog;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The calls of clients to one server. Thread-safe; [#make] blocks at most until the deadline of the call.
public final class ServerCalls {
    private final ServerRuntime runtime;
    private final ProcessGroups groups;
    private final RequestStateSigner requestStateSigner;
    private final Informed informed;

    /// Calls in flight.
    private final AtomicInteger working = new AtomicInteger();

    /// What learns of each answered call, because the server was up then.
    record Informed(ServerSubscriptions subscriptions, ServerCatalog catalog, SessionCatalog lists) {
        private void answered(ProcessGroups.Entry entry) {
            subscriptions.called(entry.session());
            catalog.catchUp();
            lists.catchUp(entry.client());
        }
    }

    ServerCalls(
            ServerRuntime runtime, ProcessGroups groups, RequestStateSigner requestStateSigner, Informed informed) {
        this.runtime = runtime;
        this.groups = groups;
        this.requestStateSigner = requestStateSigner;
        this.informed = informed;
    }

    /// Makes a call of a client.
    ///
    /// @param tool the called tool; null if none is called, or it is not listed
    /// @param isFirst whether this is the first server that gets the call; a later one continues on the
    ///     remaining time
    public Outcome make(Call made, @Nullable CatalogEntry tool, RequestOrigin from, boolean isFirst) {
        if (isFirst) {
            made.slot().toServer(runtime.id());
        } else {
            made.slot().release();
        }
        RequestStateSigner.Verified verified = requestStateSigner.verify(made);
        if (verified.refusal() != null) {
            return verified.refusal();
        }
        ServerGeneration generation = runtime.enter();
        if (generation == null) {
            return new Outcome.Failed(runtime.closed());
        }
        Outcome outcome;
        working.incrementAndGet();
        ProcessGroups.Entry entry = groups.begin(made.client());
        try {
            ServerGeneration.Settings rules = generation.settings();
            Call call = verified.call().of(entry.client());
            if (isFirst) {
                call.deadline().limit(from.time(rules.policy().timeout()));
            }
            PipelineCall pipelineCall = generation.pipelineCall(call, kind(rules, call, tool), from.asker());
            CallFailure refusal = generation.lifecycle().refusal();
            if (refusal != null) {
                return rules.pipeline().refused(pipelineCall, refusal);
            }
            generation.stay();
            generation.begin(from.asker());
            outcome = rules.pipeline().call(pipelineCall, rules.arbiter());
            generation.lifecycle().called(outcome);
            groups.note(entry, generation, outcome);
            if (outcome instanceof Outcome.Answered) {
                informed.answered(entry);
            }
        } finally {
            entry.end();
            working.decrementAndGet();
            // Last: a server that ends when it is idle would be started again for its lists.
            generation.leave();
        }
        return ServerQuestionLabels.of(
                runtime.id(), requestStateSigner.sign(verified, groups.report(entry, generation, outcome)));
    }

    private static PipelineCall.Kind kind(ServerGeneration.Settings rules, Call call, @Nullable CatalogEntry tool) {
        boolean isTool = call.request().method().equals("tools/call");
        return isTool ? rules.policy().kind(tool) : PipelineCall.Kind.READING;
    }

    /// Whether this call carries the client's answer to a question of this server.
    public boolean answersQuestion(Call call) {
        return requestStateSigner.isOf(call);
    }

    /// Refuses a call, and reports the refusal to the observer.
    public Outcome refuse(Call call, @Nullable CatalogEntry tool, RequestOrigin from, CallFailure why) {
        ServerGeneration generation = runtime.generation();
        ServerGeneration.Settings rules = generation.settings();
        PipelineCall refused = generation.pipelineCall(call, rules.policy().kind(tool), from.asker());
        return rules.pipeline().refused(refused, why);
    }

    /// Whether the server works on a call. Such a server counts as healthy, though it may answer nothing else
    /// meanwhile.
    public boolean isWorking() {
        return working.get() > 0;
    }
}
