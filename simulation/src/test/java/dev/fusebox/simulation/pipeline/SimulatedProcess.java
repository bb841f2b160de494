package dev.fusebox.simulation.pipeline;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Wire;
import dev.fusebox.client.WireListener;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.simulation.pipeline.ProcessScript.Act;
import dev.fusebox.simulation.pipeline.ProcessScript.Birth;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/// One run of a simulated server: a pipe in each direction, and an end. For the threads of one simulation.
final class SimulatedProcess implements Wire {
    /// From one side of a pipe to the other.
    static final Duration TRANSIT = Duration.ofMillis(1);

    /// From a death to the moment when it is known; a busy machine takes 140 ms.
    private static final int LATEST_NEWS_MILLIS = 140;

    /// From the wish that it ends to the moment when it has ended.
    private static final Duration FAREWELL = Duration.ofMillis(60);

    /// How long a process may read nothing.
    private static final Duration STUCK = Duration.ofSeconds(30);

    static final String WELCOME = "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"prompts\":{}},"
            + "\"serverInfo\":{\"name\":\"simulated\",\"version\":\"1\"}}";

    private final Platform platform;
    private final SimulatedServer server;
    private final WireListener listener;
    private final Birth birth;
    private boolean spoke;
    private long saidAt;
    private boolean frozen;
    private boolean blocked;
    private boolean gone;
    private boolean known;

    SimulatedProcess(Platform platform, SimulatedServer server, WireListener listener, Birth birth) {
        this.platform = platform;
        this.server = server;
        this.listener = listener;
        this.birth = birth;
        if (birth.kind() == Birth.Kind.DIES) {
            later(birth.takes(), this::crash);
        }
    }

    // ---- What it is sent

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
            case "initialize" -> shakeHands(request.id());
            case "ping" -> {
                server.journal().pinged();
                later(TRANSIT, () -> answer(request.id(), "{}"));
            }
            case "prompts/list" -> later(TRANSIT, () -> answer(request.id(), "{\"prompts\":[{\"name\":\"work\"}]}"));
            default -> work(request.id(), ServerCall.of(request));
        }
    }

    private void shakeHands(RequestId id) {
        switch (birth.kind()) {
            case DIES_SHAKING -> crash();
            case REFUSES -> later(birth.takes(), () -> error(id, JsonRpcErrorCode.INTERNAL_ERROR));
            case WELL -> later(birth.takes(), () -> welcome(id));
            case SILENT, DIES, NOT_FOUND, SHORTAGE -> {}
        }
    }

    private void work(RequestId id, ServerCall serverCall) {
        Act act = server.script().act(serverCall);
        if (act.deed() != ProcessScript.Deed.CRASH_BEFORE) {
            server.journal().executed(serverCall.tag());
        }
        if (act.deed() == ProcessScript.Deed.RUN_TWICE) {
            server.journal().executed(serverCall.tag());
        }
        frozen |= act.deed() == ProcessScript.Deed.FREEZE;
        blocked |= act.deed() == ProcessScript.Deed.BLOCK;
        later(act.after(), () -> {
            server.journal().left();
            finish(id, serverCall, act.deed());
        });
    }

    private void finish(RequestId id, ServerCall serverCall, ProcessScript.Deed deed) {
        String good = serverCall.result(server.name(), false);
        switch (deed) {
            case ANSWER, RUN_TWICE -> answer(id, good);
            case ANSWER_TWICE -> {
                answer(id, good);
                answer(id, new ServerCall(-1, "second").result(server.name(), false));
            }
            case ANSWER_STRANGER -> {
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

    /// As a process that reads nothing is ended for.
    private void endIfStuck() {
        if (blocked) {
            crash();
        }
    }

    /// Whatever hung goes on; what it has not read is lost.
    void thaw() {
        frozen = false;
        blocked = false;
    }

    // ---- What it says

    /// Says nothing about what comes after it: many a server shakes hands and hangs.
    private void welcome(RequestId id) {
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

    // ---- How it ends

    void crash() {
        Evidence evidence = Evidence.ofExit(1, null, List.of());
        Duration news = Duration.ofMillis(platform.random().nextInt(LATEST_NEWS_MILLIS));
        end(
                news,
                new CallFailure(
                        ErrorCode.SERVER_CRASHED,
                        FailureCategory.STDIO_EXIT,
                        Delivery.UNKNOWN,
                        "exited with 1",
                        evidence));
    }

    @Override
    public void close() {
        Evidence evidence = Evidence.ofExit(0, null, List.of());
        end(
                FAREWELL,
                new CallFailure(ErrorCode.CANCELLED, FailureCategory.LOCAL, Delivery.UNKNOWN, "was ended", evidence));
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
