package dev.fusebox.worker;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.nio.charset.StandardCharsets;

/// Counts what a script may do only so often, and knows whether it is over. For one thread.
final class ScriptQuota {
    /// Less than what any reader of messages lets in, since what is said is put into something.
    private static final int MOST_DEPTH = JsonView.MAX_DEPTH - 16;

    private static final int LONGEST_NAME = 2_000;

    /// A megabyte, without the room for names.
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

    /// Empty, or why the script may not make one more call, or not this one.
    ///
    /// @param name of server and tool together
    String call(String name, String args) {
        if (name.length() > LONGEST_NAME) {
            return "no tool has a name of " + name.length() + " characters";
        }
        if (isLong(args)) {
            return "the arguments are longer than " + longestArguments()
                    + " bytes (execute.maxOutputBytes, and a megabyte)";
        }
        if (!isShallow(args)) {
            return "the arguments are nested deeper than " + MOST_DEPTH;
        }
        if (calls >= request.maxCalls()) {
            return "a script may make " + request.maxCalls() + " calls (execute.maxCalls), and this would be one more";
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
        if (mayBeSaid(line)) {
            workerOutput.log(line);
        }
    }

    void done(String result) {
        if (!isShallow(result)) {
            failed("TypeError", "the result is nested deeper than " + MOST_DEPTH, 0, "");
        } else if (mayBeSaid(result)) {
            isOver = true;
            workerOutput.done(result);
        }
    }

    void failed(String kind, String message, int line, String details) {
        String told = details.isEmpty() || isShallow(details) ? details : "";
        if (mayBeSaid(kind + message + told)) {
            isOver = true;
            workerOutput.failed(kind, message, line, told);
        }
    }

    /// Nothing of what the script says counts from now on.
    void end() {
        isOver = true;
    }

    boolean isOver() {
        return isOver;
    }

    /// The first that is too much is the last.
    private boolean mayBeSaid(String text) {
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
            JsonView.parse(json.getBytes(StandardCharsets.UTF_8), MOST_DEPTH);
            return true;
        } catch (JsonSyntaxError tooDeep) {
            return false;
        }
    }

    private boolean isLong(String text) {
        return text.length() > longestArguments() / 4 && bytes(text) > longestArguments();
    }

    /// The sandbox takes no line that is longer than this and the names beside it: data that goes from server to
    /// server may be more than what is told.
    private long longestArguments() {
        return request.maxOutputBytes() + MORE_THAN_OUTPUT;
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
