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
final class Call implements Runnable {
    private final Exchange exchange;
    private final String name;
    private final Tool.Body body;
    private final List<Fault> ofScript;

    private Call(Exchange exchange, String name, Tool.Body body, List<Fault> ofScript) {
        this.exchange = exchange;
        this.name = name;
        this.body = body;
        this.ofScript = ofScript;
    }

    static void start(Exchange exchange, Tool tool) {
        // Counted here, on the thread that reads, so that the n-th call is the n-th to come.
        List<Fault> faults = exchange.fixture().faultsOfNextCall();
        start(new Call(exchange, tool.name(), tool.body(), faults), exchange);
    }

    /// The same for what is no tool, and so is not counted and has no faults of the script.
    static void start(Exchange exchange, String method, Tool.Body body) {
        start(new Call(exchange, method, body, List.of()), exchange);
    }

    private static void start(Call call, Exchange exchange) {
        exchange.client().running().started(exchange);
        Thread.ofVirtual().name("call " + exchange.id()).start(call);
    }

    @Override
    public void run() {
        exchange.runsOn(Thread.currentThread());
        try {
            execute();
        } catch (InterruptedException e) {
            // Cancelled: nobody waits for an answer any more.
            exchange.outbox().finish();
        } catch (IllegalArgumentException | ArithmeticException | UncheckedIOException e) {
            exchange.outbox()
                    .answer(JsonRpcFrames.error(exchange.id(), JsonRpcErrorCode.INTERNAL_ERROR, e.toString(), null));
        } finally {
            exchange.client().running().ended(exchange);
            noteCancellation();
        }
    }

    private void noteCancellation() {
        if (exchange.isCancelled()) {
            exchange.fixture().journal().add(exchange.id().json(), name + ":cancelled");
        }
    }

    private void execute() throws InterruptedException {
        String result;
        Misbehaviour misbehaviour = new Misbehaviour(exchange);
        try {
            List<Fault> faults = faults();
            exchange.fixture().journal().add(exchange.id().json(), name);
            result = body.run(exchange);
            for (Fault fault : of(faults, Stage.ACT)) {
                misbehaviour.act(fault);
            }
            Optional<Fault> instead = of(faults, Stage.WITHHOLD).stream().findFirst();
            Delivery delivery = Delivery.of(exchange, result).with(faults);
            if (instead.isPresent()) {
                misbehaviour.withhold(instead.get(), delivery);
                return;
            }
            deliver(delivery);
            for (Fault fault : of(faults, Stage.AFTER)) {
                exchange.fixture().host().crash(fault.effectiveValue());
            }
        } catch (NoResult end) {
            deliver(end);
        }
    }

    private void deliver(NoResult end) {
        switch (end) {
            case ToolFault fault -> deliver(Delivery.of(exchange, Content.failure(fault.message())));
            case InputRequired questions ->
                deliver(Delivery.of(exchange, questions.result()).as("input_required"));
            case RpcFault fault -> refuse(fault);
        }
    }

    private void refuse(RpcFault fault) {
        if (exchange.client().running().ended(exchange)) {
            exchange.outbox()
                    .answer(
                            JsonRpcFrames.error(exchange.id(), fault.code(), fault.message(), fault.data()),
                            fault.status());
        } else {
            exchange.outbox().finish();
        }
    }

    private void deliver(Delivery delivery) {
        if (exchange.client().running().ended(exchange)) {
            delivery.write();
        } else {
            exchange.outbox().finish();
        }
    }

    /// Those of the script, then those that the call itself asks for.
    private List<Fault> faults() {
        var faults = new ArrayList<>(ofScript);
        JsonView asked = exchange.arguments().member("fault");
        if (asked != null) {
            List<JsonView> texts = asked.isArray() ? asked.elements() : List.of(asked);
            texts.forEach(text -> faults.add(Fault.parse(String.valueOf(text.string()))));
        }
        return faults;
    }

    private static List<Fault> of(List<Fault> faults, Stage stage) {
        return faults.stream().filter(fault -> fault.kind().stage() == stage).toList();
    }
}
