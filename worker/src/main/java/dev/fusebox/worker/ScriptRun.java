package dev.fusebox.worker;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.Objects;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/// The execution of one script. For one thread, which it blocks for as long as the script runs.
final class ScriptRun {
    private final WorkerInput workerInput;
    private final WorkerOutput workerOutput;
    private final ScriptRequest request;
    private final ScriptTimers scriptTimers;
    private final ScriptQuota scriptQuota;

    ScriptRun(Platform platform, WorkerInput workerInput, WorkerOutput workerOutput, ScriptRequest request) {
        this.workerInput = workerInput;
        this.workerOutput = workerOutput;
        this.request = request;
        this.scriptTimers = new ScriptTimers(platform.ticker());
        this.scriptQuota = new ScriptQuota(request, workerOutput);
    }

    /// Runs the script to its end.
    ///
    /// @return whether another script can run in this process
    boolean in(ScriptContext scriptContext) throws InterruptedException {
        try {
            scriptContext.hostFunctions().use(new HostFunctions.Side(workerOutput, scriptQuota, scriptTimers));
            Value script = scriptContext.prelude();
            script.invokeMember(
                    "start", scriptContext.context().eval(AsyncScript.of(request.code())), request.servers());
            while (!scriptQuota.isOver()) {
                resume(script);
            }
            return true;
        } catch (PolyglotException failure) {
            reportError(failure);
            return !failure.isInternalError();
        } catch (StackOverflowError | LinkageError spoilt) {
            // A class whose initialization failed at the end of the stack can never be used again.
            ScriptError scriptError = ScriptError.TOO_DEEP;
            scriptQuota.failed(scriptError.kind(), scriptError.message(), scriptError.line(), "");
            return false;
        }
    }

    /// Waits for the next event of the script and resumes it.
    private void resume(Value script) throws InterruptedException {
        Duration untilNext = scriptTimers.untilNext();
        if (untilNext == null && scriptQuota.callsOpen() == 0) {
            scriptQuota.failed("Error", "the script awaits a promise that never settles", 0, "");
            return;
        }
        JsonView told = untilNext == null ? workerInput.take() : workerInput.take(untilNext);
        if (told != null) {
            answer(script, Objects.requireNonNull(told.member("answer")));
        } else if (workerInput.isOver()) {
            scriptQuota.end();
        }
        for (Integer due = scriptTimers.nextDue(); due != null && !scriptQuota.isOver(); due = scriptTimers.nextDue()) {
            script.invokeMember("arrived", due, "null");
        }
    }

    private void answer(Value script, JsonView answer) {
        scriptQuota.answered();
        int id = Integer.parseInt(Objects.requireNonNull(answer.member("id")).json());
        JsonView value = answer.member("value");
        if (value != null) {
            script.invokeMember("arrived", id, value.json());
        } else {
            String message = Objects.requireNonNull(answer.string("message"));
            script.invokeMember("refused", id, message, error(answer.member("error")));
        }
    }

    private static String error(@Nullable JsonView error) {
        return error == null ? "null" : error.json();
    }

    /// Reports an error that the script could not catch itself: mostly a syntax error.
    private void reportError(PolyglotException failure) {
        ScriptError scriptError = ScriptError.of(failure, request.code());
        scriptQuota.failed(scriptError.kind(), scriptError.message(), scriptError.line(), "");
    }
}
