package dev.fusebox.sandbox;

import dev.fusebox.client.Promise;
import dev.fusebox.client.framing.OversizedMessage;
import dev.fusebox.client.process.ChildExit;
import dev.fusebox.client.process.ChildListener;
import dev.fusebox.client.process.ChildProcess;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.sandbox.ScriptReport.Ended;
import dev.fusebox.sandbox.ScriptReport.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A worker process and its current script. Its messages are trusted as little as the script that it runs.
/// Thread-safe; never blocks.
final class WorkerProcess implements ChildListener {
    private final Sandbox sandbox;
    private volatile Promise<String> readiness = new Promise<>();
    private volatile @Nullable ChildProcess child;
    private volatile @Nullable ScriptSession talk;
    private volatile boolean hasEnded;

    WorkerProcess(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    /// Sets the process, which may have sent messages already.
    void attach(ChildProcess started) {
        child = started;
    }

    /// Completes with an empty text when it can take the next script, or with the reason why it cannot.
    Promise<String> readiness() {
        return readiness;
    }

    void begin(String code, List<String> servers, ScriptSession next) {
        readiness = new Promise<>();
        talk = next;
        JsonWriter frame = new JsonWriter().beginObject().name("run").beginObject();
        frame.name("code").string(code).name("servers").beginArray();
        servers.forEach(frame::string);
        frame.endArray().name("maxCalls").number(next.rules().maxCalls());
        frame.name("maxOutputBytes").number(next.rules().maxOutputBytes());
        if (!send(frame.endObject().endObject().bytes())) {
            next.ended().complete(new Ended.Stopped(Reason.CRASHED, "the worker accepts no script"));
        }
    }

    /// Ignores the script from now on; it has ended.
    void forget() {
        talk = null;
    }

    /// Lets it end by itself; returns false if it does not in time.
    boolean leave(Duration limit) throws InterruptedException {
        ChildProcess process = child;
        return process != null
                && send("{\"leave\":true}".getBytes(StandardCharsets.US_ASCII))
                && process.exit(limit).isPresent();
    }

    /// Whether the process has ended.
    boolean hasEnded() {
        return hasEnded;
    }

    /// Ends the process, even while it runs a script.
    void dismiss() {
        ChildProcess process = child;
        if (process != null) {
            process.kill();
        }
    }

    private boolean send(byte[] frame) {
        ChildProcess process = child;
        // A server's response may have many lines.
        return process != null && process.send(JsonRpcFrames.onOneLine(frame));
    }

    // ---- What the process says

    @Override
    public void frame(byte[] buffer, int from, int to) {
        try {
            handle(JsonView.parse(Arrays.copyOfRange(buffer, from, to)));
        } catch (JsonSyntaxError | RuntimeException nonsense) {
            broken("the worker sent an unexpected message");
        }
    }

    private void handle(JsonView frame) {
        if (frame.member("ready") != null) {
            readiness.complete("");
            return;
        }
        ScriptSession now = talk;
        // Messages after the end of a script are ignored.
        if (now != null && now.ended().now() == null && !now.handle(frame, this::send)) {
            broken("the worker sent an unexpected message");
        }
    }

    private void broken(String why) {
        end(new Ended.Stopped(Reason.CRASHED, why));
        dismiss();
    }

    private void end(Ended.Stopped ended) {
        ScriptSession now = talk;
        if (now != null) {
            now.ended().complete(ended);
        }
    }

    @Override
    public void tooLong(OversizedMessage line) {
        end(new Ended.Stopped(Reason.OUTPUT, ""));
        dismiss();
    }

    @Override
    public void exited(ChildExit exit) {
        hasEnded = true;
        readiness.complete("ended before it was ready" + reason(exit));
        end(ended(exit));
        sandbox.gone(this);
    }

    private static Ended.Stopped ended(ChildExit exit) {
        if (exit.cause() == ChildExit.Cause.ENDLESS_LINE) {
            return new Ended.Stopped(Reason.OUTPUT, "");
        }
        Integer code = exit.code();
        if (code != null && code == WorkerProgram.OUT_OF_MEMORY && exit.signal() == null) {
            return new Ended.Stopped(Reason.MEMORY, "");
        }
        String how = exit.signal() == null ? "with code " + code : "by " + exit.signal();
        return new Ended.Stopped(Reason.CRASHED, "the script's worker exited " + how + reason(exit));
    }

    private static String reason(ChildExit exit) {
        return exit.reason() == null ? "" : ": " + exit.reason();
    }
}
