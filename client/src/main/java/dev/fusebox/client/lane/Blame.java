package dev.fusebox.client.lane;

import dev.fusebox.client.Category;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Reached;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;

/// What a failed call says about its server.
enum Blame {
    /// The server is to blame.
    SERVER,
    /// It was silent: a sign of life has to decide.
    SILENCE,
    /// It answered, so it lives.
    LIVES,
    /// The failure says nothing about it.
    NOBODY;

    static Blame of(Fault fault) {
        return switch (fault.category()) {
            case OFFLINE -> isSilence(fault) ? SILENCE : SERVER;
            case HTTP, STDIO_EXIT -> SERVER;
            // A server that forgets sessions is there.
            case OTHER -> fault.code() == FaultCode.SESSION_LOST ? NOBODY : SERVER;
            case PROTOCOL -> LIVES;
            case CANCELLED -> fault.reached() == Reached.UNKNOWN ? SILENCE : NOBODY;
            case AUTH, LOCAL, POLICY -> NOBODY;
        };
    }

    /// Whether the server answered the call. A refusal of the server's is an answer as well, and so is one that was too
    /// large.
    static boolean isAnswer(Outcome outcome) {
        return !(outcome instanceof Outcome.Failed(Fault fault))
                || fault.reached() == Reached.REJECTED
                || fault.category() == Category.PROTOCOL;
    }

    /// Whether an answer says that the call failed.
    static boolean isError(Message.Answer answer) {
        JsonView result = answer.result();
        JsonView isError = result == null ? null : result.member("isError");
        return result == null || (isError != null && isError.isTrue());
    }

    private static boolean isSilence(Fault fault) {
        return fault.code() == FaultCode.TIMEOUT && fault.reached() == Reached.UNKNOWN;
    }

    /// Whether failures of this kind count against a server.
    static boolean isServers(Category category) {
        return switch (category) {
            case OFFLINE, HTTP, STDIO_EXIT, OTHER -> true;
            case PROTOCOL, CANCELLED, AUTH, LOCAL, POLICY -> false;
        };
    }
}
