package dev.fusebox.gateway.routing;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import java.util.EnumSet;
import java.util.Set;

/// The rule that decides whether a call that failed at one server may be sent to another. Pure functions;
/// thread-safe.
public final class FailoverRule {
    /// Failures caused by the gateway or an operator, not by the server.
    private static final Set<ErrorCode> OURS =
            EnumSet.of(ErrorCode.CANCELLED, ErrorCode.SERVER_RESTARTED, ErrorCode.INTERNAL);

    private FailoverRule() {}

    /// A call that was not sent may go to another server; a call that may have run only if it is idempotent.
    ///
    /// @param isSafe whether the call is idempotent
    public static boolean isAllowed(CallFailure failure, boolean isSafe) {
        return mayHelp(failure) && (failure.delivery() == Delivery.NOT_SENT || isSafe);
    }

    /// An invalid or answered call has the same result elsewhere, and a caller that has left needs no result.
    private static boolean mayHelp(CallFailure failure) {
        return switch (failure.category()) {
            case AUTH, OFFLINE, HTTP, STDIO_EXIT, OTHER -> true;
            case LOCAL -> !OURS.contains(failure.code());
            case POLICY -> failure.code() == ErrorCode.PERMANENTLY_FAILED;
            case PROTOCOL, CANCELLED -> false;
        };
    }
}
