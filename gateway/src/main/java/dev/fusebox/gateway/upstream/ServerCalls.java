package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.ServerCatalog;
import dev.fusebox.gateway.task.LegacyTask;
import dev.fusebox.gateway.task.ServerTasks;
import dev.fusebox.gateway.task.TaskCaller;
import dev.fusebox.gateway.task.TaskId;
import dev.fusebox.protocol.Message;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The calls of clients to one server. Thread-safe; [#make] blocks at most until the deadline of the call.
public final class ServerCalls {
    /// Methods of the protocol and of extensions that the gateway knows, with two slashes.
    private static final Set<String> KNOWN = Set.of("resources/templates/list", "resources/directory/read");

    private final ServerRuntime runtime;
    private final ProcessGroups groups;
    private final RequestStateSigner requestStateSigner;
    private final Parts parts;

    /// Calls in flight.
    private final AtomicInteger working = new AtomicInteger();

    /// Parts of the server that depend on answered calls: the server was up then.
    record Parts(
            ServerSubscriptions subscriptions, ServerCatalog catalog, SessionCatalog lists, ServerTasks serverTasks) {
        private void answered(ProcessGroups.Entry entry) {
            subscriptions.called(entry.session());
            catalog.catchUp();
            lists.catchUp(entry.client());
        }
    }

    ServerCalls(ServerRuntime runtime, ProcessGroups groups, RequestStateSigner requestStateSigner, Parts parts) {
        this.runtime = runtime;
        this.groups = groups;
        this.requestStateSigner = requestStateSigner;
        this.parts = parts;
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
            Call call = mayBecomeTask(verified.call().of(entry.client()));
            if (isFirst) {
                call.deadline().limit(from.time(generation.settings().policy().timeout()));
            }
            if (ServerTasks.continuesTask(call)) {
                outcome = parts.serverTasks().resumed(call, own -> send(generation, own, null, from));
            } else {
                Outcome sent = generation.isStateful() && LegacyTask.isRequired(tool)
                        ? resultOfTask(generation, call, tool, from)
                        : send(generation, call, tool, from);
                groups.note(entry, generation, sent);
                if (sent instanceof Outcome.Answered) {
                    parts.answered(entry);
                }
                outcome = begun(generation, call, sent, from);
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

    private static Call mayBecomeTask(Call call) {
        return isOfTool(call) ? call.with(new TaskCaller(call.caller())) : call;
    }

    private static boolean isOfTool(Call call) {
        return call.request().method().equals("tools/call");
    }

    /// Sends a call to a tool that requires a task, and waits for that.
    private Outcome resultOfTask(
            ServerGeneration generation, Call call, @Nullable CatalogEntry tool, RequestOrigin from) {
        return new LegacyTask(runtime.platform(), call, own -> send(generation, own, tool, from)).result();
    }

    private static Outcome send(
            ServerGeneration generation, Call call, @Nullable CatalogEntry tool, RequestOrigin from) {
        ServerGeneration.Settings rules = generation.settings();
        PipelineCall pipelineCall = generation.pipelineCall(call, kind(rules, call, tool), from.asker());
        CallFailure refusal = generation.lifecycle().refusal();
        if (refusal != null) {
            return rules.pipeline().refused(pipelineCall, refusal);
        }
        generation.stay();
        generation.begin(from.asker());
        Outcome outcome = rules.pipeline().call(pipelineCall, rules.arbiter());
        generation.lifecycle().called(outcome);
        return outcome;
    }

    /// The outcome of a call that may have been answered with a task; any other is unchanged.
    private Outcome begun(ServerGeneration generation, Call call, Outcome outcome, RequestOrigin from) {
        if (!(outcome instanceof Outcome.Answered(Message.Answer answer))
                || !ServerTasks.isTask(answer)
                || !(call.caller() instanceof TaskCaller taskCaller)) {
            return outcome;
        }
        return parts.serverTasks()
                .begun(call, answer, taskCaller.connection(), own -> send(generation, own, null, from));
    }

    /// Makes a request about a task of this server.
    public Outcome makeTaskRequest(Call call, TaskId id, RequestOrigin from) {
        Outcome outcome = parts.serverTasks().request(id, call, own -> make(own, null, from, true));
        return ServerQuestionLabels.labelTask(runtime.id(), outcome);
    }

    private static PipelineCall.Kind kind(ServerGeneration.Settings rules, Call call, @Nullable CatalogEntry tool) {
        String method = call.request().method();
        // What a method of an unknown extension does is unknown, as with a tool that is not listed.
        boolean hasEffects = isOfTool(call) || method.equals("tasks/result") || isOfForeignExtension(method);
        return hasEffects ? rules.policy().kind(tool) : PipelineCall.Kind.READING;
    }

    /// Methods of extensions begin with the identifier of the extension, which has a slash itself.
    private static boolean isOfForeignExtension(String method) {
        return method.indexOf('/') != method.lastIndexOf('/') && !KNOWN.contains(method);
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
