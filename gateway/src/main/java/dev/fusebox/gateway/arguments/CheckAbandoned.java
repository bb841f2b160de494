package dev.fusebox.gateway.arguments;

/// Why a check was given up: the call goes to its server as it is. Has no stack trace.
final class CheckAbandoned extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean isForOneCall;

    /// No check of this tool comes to an end.
    CheckAbandoned(String why) {
        this(why, false);
    }

    private CheckAbandoned(String why, boolean isForOneCall) {
        super(why, null, false, false);
        this.isForOneCall = isForOneCall;
    }

    /// Other calls of the same tool may be judged all the same, and finding it out was cheap.
    CheckAbandoned forOneCall() {
        return new CheckAbandoned(String.valueOf(getMessage()), true);
    }

    /// It is the schema itself that was looked at.
    CheckAbandoned forAllCalls() {
        return new CheckAbandoned(String.valueOf(getMessage()), false);
    }

    boolean isForOneCall() {
        return isForOneCall;
    }
}
