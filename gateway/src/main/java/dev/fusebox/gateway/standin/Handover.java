package dev.fusebox.gateway.standin;

import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Reached;
import java.util.EnumSet;
import java.util.Set;

/// Whether a call that failed at one server may be made at another. Pure functions; thread-safe.
public final class Handover {
    /// What was ended or broken by us, or by an operator, and not for want of something at the server.
    private static final Set<FaultCode> OURS =
            EnumSet.of(FaultCode.CANCELLED, FaultCode.SERVER_RESTARTED, FaultCode.INTERNAL);

    private Handover() {}

    /// What never reached its server may go to another; what may have run there only if doing it twice is the same as
    /// doing it once.
    ///
    /// @param isSafe whether it is
    public static boolean isAllowed(Fault fault, boolean isSafe) {
        return mayHelp(fault) && (fault.reached() == Reached.NOT_SENT || isSafe);
    }

    /// What is wrong with the call, or has been answered, is the same elsewhere; and a caller that has left wants
    /// nothing more.
    private static boolean mayHelp(Fault fault) {
        return switch (fault.category()) {
            case AUTH, OFFLINE, HTTP, STDIO_EXIT, OTHER -> true;
            case LOCAL -> !OURS.contains(fault.code());
            case POLICY -> fault.code() == FaultCode.PERMANENTLY_FAILED;
            case PROTOCOL, CANCELLED -> false;
        };
    }
}
