package dev.fusebox.schema;

/// Thrown when a check is abandoned; the call is then sent unchecked. Has no stack trace.
final class CheckAbandoned extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean isForOneCall;

    /// For a reason that applies to every check of this tool.
    CheckAbandoned(String why) {
        this(why, false);
    }

    private CheckAbandoned(String why, boolean isForOneCall) {
        super(why, null, false, false);
        this.isForOneCall = isForOneCall;
    }

    /// For a reason that need not apply to other calls of the same tool, and was cheap to find out.
    CheckAbandoned forOneCall() {
        return new CheckAbandoned(String.valueOf(getMessage()), true);
    }

    /// For a reason found in the schema itself.
    CheckAbandoned forAllCalls() {
        return new CheckAbandoned(String.valueOf(getMessage()), false);
    }

    boolean isForOneCall() {
        return isForOneCall;
    }
}
