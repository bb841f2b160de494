package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.server.FaultKind.Stage;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One call of a tool, a prompt or a resource on a thread of its own: executes it and answers, as the faults say.
final class RunningCall implements Runnable {
    private final CallContext callContext;
    private final String name;
    private final FixtureTool.Body body;
    private final List<ScriptedFault> ofScript;

    private RunningCall(CallContext callContext, String name, FixtureTool.Body body, List<ScriptedFault> ofScript) {
        this.callContext = callContext;
        this.name = name;
        this.body = body;
        this.ofScript = ofScript;
    }

    static void start(CallContext callContext, FixtureTool tool) {
        // Counted here, on the thread that reads, so that the n-th call is the n-th to come.
        List<ScriptedFault> faults = callContext.fixture().faultsOfNextCall();
        start(new RunningCall(callContext, tool.name(), tool.body(), faults), callContext);
    }

    /// The same for what is no tool, and so is not counted and has no faults of the script.
    static void start(CallContext callContext, String method, FixtureTool.Body body) {
        start(new RunningCall(callContext, method, body, List.of()), callContext);
    }

    private static void start(RunningCall call, CallContext callContext) {
        callContext.client().runningCalls().started(callContext);
        Thread.ofVirtual().name("call " + callContext.id()).start(call);
    }

    @Override
    public void run() {
        callContext.runsOn(Thread.currentThread());
        try {
            execute();
        } catch (InterruptedException e) {
            // Cancelled: nobody waits for an answer any more.
            callContext.outbox().finish();
        } catch (IllegalArgumentException | ArithmeticException | UncheckedIOException e) {
            callContext
                    .outbox()
                    .answer(JsonRpcFrames.error(callContext.id(), JsonRpcErrorCode.INTERNAL_ERROR, e.toString(), null));
        } finally {
            callContext.client().runningCalls().ended(callContext);
            noteCancellation();
        }
    }

    private void noteCancellation() {
        if (callContext.isCancelled()) {
            callContext.fixture().journal().add(callContext.id().json(), name + ":cancelled");
        }
    }

    private void execute() throws InterruptedException {
        String result;
        Misbehaviour misbehaviour = new Misbehaviour(callContext);
        try {
            List<ScriptedFault> faults = faults();
            callContext.fixture().journal().add(callContext.id().json(), name);
            result = body.run(callContext);
            for (ScriptedFault fault : of(faults, Stage.ACT)) {
                misbehaviour.act(fault);
            }
            Optional<ScriptedFault> instead =
                    of(faults, Stage.WITHHOLD).stream().findFirst();
            ResultDelivery delivery = ResultDelivery.of(callContext, result).with(faults);
            if (instead.isPresent()) {
                misbehaviour.withhold(instead.get(), delivery);
                return;
            }
            deliver(delivery);
            for (ScriptedFault fault : of(faults, Stage.AFTER)) {
                callContext.fixture().host().crash(fault.effectiveValue());
            }
        } catch (NoResult end) {
            deliver(end);
        }
    }

    private void deliver(NoResult end) {
        switch (end) {
            case ToolError fault -> deliver(ResultDelivery.of(callContext, ToolContent.failure(fault.message())));
            case InputRequired questions ->
                deliver(ResultDelivery.of(callContext, questions.result()).as("input_required"));
            case RpcError fault -> refuse(fault);
        }
    }

    private void refuse(RpcError fault) {
        if (callContext.client().runningCalls().ended(callContext)) {
            callContext
                    .outbox()
                    .answer(
                            JsonRpcFrames.error(callContext.id(), fault.code(), fault.message(), fault.data()),
                            fault.status());
        } else {
            callContext.outbox().finish();
        }
    }

    private void deliver(ResultDelivery delivery) {
        if (callContext.client().runningCalls().ended(callContext)) {
            delivery.write();
        } else {
            callContext.outbox().finish();
        }
    }

    /// Those of the script, then those that the call itself asks for.
    private List<ScriptedFault> faults() {
        var faults = new ArrayList<>(ofScript);
        JsonView asked = callContext.arguments().member("fault");
        if (asked != null) {
            List<JsonView> texts = asked.isArray() ? asked.elements() : List.of(asked);
            texts.forEach(text -> faults.add(ScriptedFault.parse(String.valueOf(text.string()))));
        }
        return faults;
    }

    private static List<ScriptedFault> of(List<ScriptedFault> faults, Stage stage) {
        return faults.stream().filter(fault -> fault.kind().stage() == stage).toList();
    }
}
