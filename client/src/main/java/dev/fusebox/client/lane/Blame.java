package dev.fusebox.client.lane;

import dev.fusebox.client.Category;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Reached;

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
