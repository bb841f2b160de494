package dev.fusebox.worker;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.nio.charset.StandardCharsets;

/// The limits of a script: counts its calls and its output, and records whether it has ended. For one thread.
final class ScriptQuota {
    /// Less than the limit of any reader of messages, because values are embedded in messages.
    private static final int MAX_DEPTH = JsonView.MAX_DEPTH - 16;

    private static final int LONGEST_NAME = 2_000;

    /// A megabyte minus the room for names.
    private static final int MORE_THAN_OUTPUT = (1 << 20) - (32 << 10);

    private final ScriptRequest request;
    private final WorkerOutput workerOutput;
    private long said;
    private int calls;
    private int open;
    private boolean isOver;

    ScriptQuota(ScriptRequest request, WorkerOutput workerOutput) {
        this.request = request;
        this.workerOutput = workerOutput;
    }

    /// Checks a call; empty, or the reason why it is not allowed.
    ///
    /// @param name server and tool together
    String call(String name, String args) {
        if (name.length() > LONGEST_NAME) {
            return "server and tool name are too long: " + name.length() + " characters";
        }
        if (isLong(args)) {
            return "the arguments are longer than " + longestArguments()
                    + " bytes (execute.maxOutputBytes plus a megabyte)";
        }
        if (!isShallow(args)) {
            return "the arguments are nested deeper than " + MAX_DEPTH;
        }
        if (calls >= request.maxCalls()) {
            return "the script has reached its limit of " + request.maxCalls() + " calls (execute.maxCalls)";
        }
        calls++;
        open++;
        return "";
    }

    void answered() {
        open--;
    }

    int callsOpen() {
        return open;
    }

    void log(String line) {
        if (isWithinOutput(line)) {
            workerOutput.log(line);
        }
    }

    void done(String result) {
        if (!isShallow(result)) {
            failed("TypeError", "the result is nested deeper than " + MAX_DEPTH, 0, "");
        } else if (isWithinOutput(result)) {
            isOver = true;
            workerOutput.done(result);
        }
    }

    void failed(String kind, String message, int line, String details) {
        String told = details.isEmpty() || isShallow(details) ? details : "";
        if (isWithinOutput(kind + message + told)) {
            isOver = true;
            workerOutput.failed(kind, message, line, told);
        }
    }

    /// Ignores all further output of the script.
    void end() {
        isOver = true;
    }

    boolean isOver() {
        return isOver;
    }

    /// The first output over the limit ends the script.
    private boolean isWithinOutput(String text) {
        if (isOver) {
            return false;
        }
        said += 1 + (text.length() < request.maxOutputBytes() / 4 ? text.length() : bytes(text));
        if (said > request.maxOutputBytes()) {
            isOver = true;
            workerOutput.tooMuch();
            return false;
        }
        return true;
    }

    private static boolean isShallow(String json) {
        try {
            JsonView.parse(json.getBytes(StandardCharsets.UTF_8), MAX_DEPTH);
            return true;
        } catch (JsonSyntaxError tooDeep) {
            return false;
        }
    }

    private boolean isLong(String text) {
        return text.length() > longestArguments() / 4 && bytes(text) > longestArguments();
    }

    /// The sandbox accepts no line longer than this plus the names beside it: data that goes from server to server
    /// may be longer than the output.
    private long longestArguments() {
        return request.maxOutputBytes() + MORE_THAN_OUTPUT;
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
