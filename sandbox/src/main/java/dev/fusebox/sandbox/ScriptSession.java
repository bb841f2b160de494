package dev.fusebox.sandbox;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.sandbox.ScriptReport.Ended;
import dev.fusebox.sandbox.ScriptReport.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The gateway's side of a running script: its output, its calls, its end. Thread-safe; never blocks; calls run on
/// threads of their own.
final class ScriptSession {
    private final SandboxLimits rules;
    private final ScriptHost host;
    private final Supplier<Deadline> deadlines;
    private final Promise<Ended> ended = new Promise<>();
    private final ScriptConsole scriptConsole;
    private final List<ScriptCall> calls = new ArrayList<>();
    private boolean isClosed;

    /// @param deadlines supplies the deadline of a call that begins now
    ScriptSession(SandboxLimits rules, ScriptHost host, Supplier<Deadline> deadlines) {
        this.rules = rules;
        this.host = host;
        this.deadlines = deadlines;
        this.scriptConsole = new ScriptConsole(rules.maxOutputBytes());
    }

    SandboxLimits rules() {
        return rules;
    }

    Promise<Ended> ended() {
        return ended;
    }

    /// Handles a message of the worker; returns false if no genuine worker would send it.
    ///
    /// @param answers receives the messages to the worker
    boolean handle(JsonView frame, Predicate<byte[]> answers) {
        JsonView value = frame.member("log");
        if (value != null) {
            return log(value);
        }
        value = frame.member("call");
        if (value != null) {
            return call(value, answers);
        }
        Ended end = end(frame);
        return end != null && ended.complete(end);
    }

    private @Nullable Ended end(JsonView frame) {
        JsonView result = frame.member("done");
        if (result != null) {
            return new Ended.Finished(JsonView.of(result.json()));
        }
        JsonView failed = frame.member("failed");
        if (failed != null) {
            return threw(failed);
        }
        return frame.member("tooMuch") == null ? null : new Ended.Stopped(Reason.OUTPUT, "");
    }

    private Ended threw(JsonView failed) {
        JsonView line = failed.member("line");
        JsonView error = failed.member("error");
        return new Ended.Threw(
                Objects.requireNonNullElse(failed.string("kind"), "Error"),
                Objects.requireNonNullElse(failed.string("message"), ""),
                line == null ? 0 : Integer.parseInt(line.json()),
                error == null ? null : receivedError(error));
    }

    /// The error of a failed call as the script received it; null if the script threw something else. A script may
    /// throw anything, also data from a server.
    private synchronized @Nullable JsonView receivedError(JsonView thrown) {
        return calls.stream()
                .map(call -> call.errorOf(thrown))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private synchronized boolean log(JsonView line) {
        String text = line.string();
        if (text != null && !isClosed && !scriptConsole.add(text)) {
            ended.complete(new Ended.Stopped(Reason.OUTPUT, ""));
        }
        return text != null;
    }

    private boolean call(JsonView call, Predicate<byte[]> answers) {
        JsonView id = call.member("id");
        String server = call.string("server");
        String tool = call.string("tool");
        JsonView args = call.member("args");
        if (id == null || server == null || tool == null || args == null) {
            return false;
        }
        ScriptHost.Request request = new ScriptHost.Request(server, tool, JsonView.of(args.json()));
        ScriptCall inner = new ScriptCall(id.json(), request, deadlines.get(), rules.memoryBytes());
        synchronized (this) {
            if (calls.size() >= rules.maxCalls()) {
                return false;
            }
            if (!isClosed) {
                calls.add(inner);
                Thread.ofVirtual().name("script-call").start(() -> answer(inner, answers));
            }
        }
        return true;
    }

    /// A script whose worker accepts no responses would wait until its deadline.
    private void answer(ScriptCall inner, Predicate<byte[]> answers) {
        if (!deliver(inner.made(host), answers)) {
            ended.complete(new Ended.Stopped(Reason.CRASHED, "the script's worker accepts no more responses"));
        }
    }

    /// The worker may run another script when a late response arrives: that script must not get it.
    private synchronized boolean deliver(byte[] answer, Predicate<byte[]> answers) {
        return isClosed || answers.test(answer);
    }

    /// Abandons the pending calls and ignores further messages.
    void giveUp() {
        List<ScriptCall> all;
        synchronized (this) {
            isClosed = true;
            all = List.copyOf(calls);
        }
        all.forEach(ScriptCall::giveUp);
    }

    /// The report of the script.
    synchronized ScriptReport report(Ended end) {
        List<String> told = end instanceof Ended.Stopped ? scriptConsole.excerpt() : scriptConsole.all();
        return new ScriptReport(
                end, told, calls.stream().map(ScriptCall::report).toList());
    }
}
