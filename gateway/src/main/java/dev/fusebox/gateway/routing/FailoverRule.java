package dev.fusebox.gateway.routing;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import java.util.EnumSet;
import java.util.Set;

/// Whether a call that failed at one server may be made at another. Pure functions; thread-safe.
public final class FailoverRule {
    /// What was ended or broken by us, or by an operator, and not for want of something at the server.
    private static final Set<ErrorCode> OURS =
            EnumSet.of(ErrorCode.CANCELLED, ErrorCode.SERVER_RESTARTED, ErrorCode.INTERNAL);

    private FailoverRule() {}

    /// What never reached its server may go to another; what may have run there only if doing it twice is the same
    /// as doing it once.
    ///
    /// @param isSafe whether it is
    public static boolean isAllowed(CallFailure failure, boolean isSafe) {
        return mayHelp(failure) && (failure.delivery() == Delivery.NOT_SENT || isSafe);
    }

    /// What is wrong with the call, or has been answered, is the same elsewhere; and a caller that has left wants
    /// nothing more.
    private static boolean mayHelp(CallFailure failure) {
        return switch (failure.category()) {
            case AUTH, OFFLINE, HTTP, STDIO_EXIT, OTHER -> true;
            case LOCAL -> !OURS.contains(failure.code());
            case POLICY -> failure.code() == ErrorCode.PERMANENTLY_FAILED;
            case PROTOCOL, CANCELLED -> false;
        };
    }
}
