package dev.fusebox.simulation.pipeline;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Wire;
import dev.fusebox.client.WireListener;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.simulation.pipeline.ProcessScript.Reaction;
import dev.fusebox.simulation.pipeline.ProcessScript.Start;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/// One process of a simulated server: a pipe in each direction, and an end. For the threads of one simulation.
final class SimulatedProcess implements Wire {
    /// The transit time of a pipe.
    static final Duration TRANSIT = Duration.ofMillis(1);

    /// From the end of a process to its detection; a busy machine takes 140 ms.
    private static final int LATEST_DETECTION_MILLIS = 140;

    /// From the request to end a process to its end.
    private static final Duration TERMINATION = Duration.ofMillis(60);

    /// The time limit for a process that reads nothing.
    private static final Duration STUCK = Duration.ofSeconds(30);

    static final String WELCOME = "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"prompts\":{}},"
            + "\"serverInfo\":{\"name\":\"simulated\",\"version\":\"1\"}}";

    private final Platform platform;
    private final SimulatedServer server;
    private final WireListener listener;
    private final Start start;
    private boolean spoke;
    private long saidAt;
    private boolean frozen;
    private boolean blocked;
    private boolean gone;
    private boolean known;

    SimulatedProcess(Platform platform, SimulatedServer server, WireListener listener, Start start) {
        this.platform = platform;
        this.server = server;
        this.listener = listener;
        this.start = start;
        if (start.kind() == Start.Kind.DIES) {
            later(start.takes(), this::crash);
        }
    }

    // ---- Input

    @Override
    public boolean send(byte[] frame) {
        if (gone || blocked) {
            return false;
        }
        Message message = Message.read(frame);
        if (message instanceof Message.Request request && request.method().equals("tools/call")) {
            server.journal().reached(ServerCall.of(request).tag());
        }
        platform.timers().schedule(TRANSIT, () -> read(message));
        return true;
    }

    private void read(Message message) {
        if (gone || frozen || !(message instanceof Message.Request request)) {
            return;
        }
        switch (request.method()) {
            case "initialize" -> answerHandshake(request.id());
            case "ping" -> {
                server.journal().pinged();
                later(TRANSIT, () -> answer(request.id(), "{}"));
            }
            case "prompts/list" -> later(TRANSIT, () -> answer(request.id(), "{\"prompts\":[{\"name\":\"work\"}]}"));
            default -> work(request.id(), ServerCall.of(request));
        }
    }

    private void answerHandshake(RequestId id) {
        switch (start.kind()) {
            case DIES_IN_HANDSHAKE -> crash();
            case REFUSES -> later(start.takes(), () -> error(id, JsonRpcErrorCode.INTERNAL_ERROR));
            case WELL -> later(start.takes(), () -> acceptHandshake(id));
            case SILENT, DIES, NOT_FOUND, SHORTAGE -> {}
        }
    }

    private void work(RequestId id, ServerCall serverCall) {
        Reaction reaction = server.script().reaction(serverCall);
        if (reaction.action() != ProcessScript.CallAction.CRASH_BEFORE) {
            server.journal().executed(serverCall.tag());
        }
        if (reaction.action() == ProcessScript.CallAction.RUN_TWICE) {
            server.journal().executed(serverCall.tag());
        }
        frozen |= reaction.action() == ProcessScript.CallAction.FREEZE;
        blocked |= reaction.action() == ProcessScript.CallAction.BLOCK;
        later(reaction.after(), () -> {
            server.journal().left();
            finish(id, serverCall, reaction.action());
        });
    }

    private void finish(RequestId id, ServerCall serverCall, ProcessScript.CallAction action) {
        String good = serverCall.result(server.name(), false);
        switch (action) {
            case ANSWER, RUN_TWICE -> answer(id, good);
            case ANSWER_TWICE -> {
                answer(id, good);
                answer(id, new ServerCall(-1, "second").result(server.name(), false));
            }
            case ANSWER_UNKNOWN_ID -> {
                answer(
                        RequestId.of(id.number() + 1_000_000),
                        new ServerCall(-1, "strange").result(server.name(), false));
                answer(id, good);
            }
            case ANSWER_WRONGLY ->
                answer(id, new ServerCall(serverCall.tag() - 1, serverCall.tool()).result(server.name(), false));
            case NOISE -> {
                say("Listening on nothing at all".getBytes(StandardCharsets.UTF_8));
                answer(id, good);
            }
            case TOOL_ERROR -> answer(id, serverCall.result(server.name(), true));
            case ERROR -> error(id, serverCall.errorCode());
            case CRASH_BEFORE, CRASH_AFTER -> crash();
            case BLOCK -> later(STUCK, this::endIfStuck);
            case HANG, FREEZE -> {}
        }
    }

    /// Ends a process that reads nothing, as the gateway does.
    private void endIfStuck() {
        if (blocked) {
            crash();
        }
    }

    /// Ends a hang; messages that were not read are lost.
    void unfreeze() {
        frozen = false;
        blocked = false;
    }

    // ---- Output

    /// Proves nothing about later calls: many servers complete the handshake and hang.
    private void acceptHandshake(RequestId id) {
        boolean before = spoke;
        answer(id, WELCOME);
        spoke = before;
    }

    private void answer(RequestId id, String result) {
        say(JsonRpcFrames.result(id, result));
    }

    private void error(RequestId id, int code) {
        say(JsonRpcFrames.error(id, code, "401 Unauthorized: ECONNREFUSED, timed out", null));
    }

    private void say(byte[] frame) {
        if (!gone && !frozen) {
            spoke = true;
            saidAt = platform.ticker().nanos();
            listener.frame(frame, 0, frame.length);
        }
    }

    boolean isAlive() {
        return !gone;
    }

    boolean saidSince(long then) {
        return spoke && !known && saidAt - then > 0;
    }

    private void later(Duration delay, Runnable action) {
        platform.timers().schedule(delay, action);
    }

    // ---- End

    void crash() {
        Evidence evidence = Evidence.ofExit(1, null, List.of());
        Duration news = Duration.ofMillis(platform.random().nextInt(LATEST_DETECTION_MILLIS));
        end(
                news,
                new CallFailure(
                        ErrorId.SERVER_EXITED,
                        FailureCategory.STDIO_EXIT,
                        Delivery.UNKNOWN,
                        "exited with 1",
                        evidence));
    }

    @Override
    public void close() {
        Evidence evidence = Evidence.ofExit(0, null, List.of());
        end(
                TERMINATION,
                new CallFailure(
                        ErrorId.CANCELLED, FailureCategory.LOCAL, Delivery.UNKNOWN, "was terminated", evidence));
    }

    private void end(Duration news, CallFailure failure) {
        if (gone) {
            return;
        }
        gone = true;
        later(news, () -> {
            known = true;
            listener.lost(failure);
        });
    }
}
