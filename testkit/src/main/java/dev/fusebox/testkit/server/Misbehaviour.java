package dev.fusebox.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/// What a call does beside its answer, and instead of it. Runs on the thread of the call, and blocks it as long as
/// the fault says.
final class Misbehaviour {
    /// As long as for ever, to a test.
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private static final String NOISE = """
            fixture: listening on standard input
            \u001b[32minfo\u001b[0m ready

            42
            "a text"
            [1, 2, 3]
            {"neither":"request nor answer"}
            {"jsonrpc":"2.0","id":1,"result":
            \ufeff{"bom":"in front"}
            """;

    private final CallContext callContext;
    private final HostProcess host;

    Misbehaviour(CallContext callContext) {
        this.callContext = callContext;
        this.host = callContext.fixture().host();
    }

    void act(ScriptedFault fault) throws ToolError, InterruptedException {
        switch (fault.kind()) {
            case SLOW -> callContext.pause(fault.number());
            case NOISE -> callContext.outbox().write(Pieces.of(NOISE), Duration.ZERO);
            case STDERR_FLOOD -> host.complain(fault.number(), true);
            case STDERR_ENDLESS_LINE -> host.complain(fault.number(), false);
            case CLOSE_STDERR -> host.closeStderr();
            case STOP_READING -> host.stopReading();
            case FORK -> fork(fault, false);
            case FORK_DETACHED -> fork(fault, true);
            case LIST_CHANGED_STORM -> storm(fault.number());
            case END_SUBSCRIPTIONS -> callContext.fixture().endWatching();
            case CLIENT_REQUEST -> ask(fault.effectiveValue());
            default -> throw new IllegalArgumentException(fault.text() + " does nothing beside the answer");
        }
    }

    private void fork(ScriptedFault fault, boolean detached) throws ToolError {
        try {
            note(fault.kind().text() + ":" + host.fork(fault.number(), detached));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a process", e);
        }
    }

    private void storm(long times) {
        for (long i = 0; i < times; i++) {
            callContext.fixture().notifyAll("notifications/tools/list_changed");
        }
    }

    private void ask(String method) throws InterruptedException {
        note("client-request:" + callContext.client().demand(method, callContext.outbox()));
    }

    private void note(String what) {
        callContext.fixture().journal().add(callContext.id().json(), what);
    }

    void withhold(ScriptedFault fault, ResultDelivery answer) throws ToolError, InterruptedException {
        switch (fault.kind()) {
            case HANG -> hang();
            case PROGRESS_FOREVER -> progress(fault.number());
            case LATE_AFTER_CANCEL -> answerLate(answer);
            case CRASH_BEFORE -> host.crash(fault.effectiveValue());
            case CLOSE_STDOUT -> host.closeStdout();
            case PARTIAL -> writeHalf(answer);
            case ENDLESS_LINE -> callContext.outbox().writeLast(Pieces.repeated("x", fault.number()));
            default -> throw new IllegalArgumentException(fault.text() + " is nothing instead of an answer");
        }
    }

    private void hang() throws InterruptedException {
        callContext.pause(FOR_EVER);
    }

    private void progress(long milliseconds) throws InterruptedException {
        for (long done = 1; !callContext.isCancelled(); done++) {
            callContext.progress(done, done + 1);
            callContext.pause(milliseconds);
        }
    }

    private void answerLate(ResultDelivery answer) {
        try {
            hang();
        } catch (InterruptedException cancelled) {
            answer.write();
        }
    }

    private void writeHalf(ResultDelivery answer) {
        Pieces whole = callContext.outbox().encode(answer.frame());
        callContext.outbox().writeLast(Pieces.of(whole.head(Math.toIntExact(whole.length() / 2))));
    }
}
