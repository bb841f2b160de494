package dev.fusebox.client.resilience;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import org.jspecify.annotations.Nullable;

/// A call with the properties that the pipeline needs. Immutable except for the deadline of the call.
///
/// @param call the call
/// @param kind of the call
/// @param client whose turn in the queue the call takes: calls of one client wait in order, and clients take
///     turns
/// @param endpoint of the server
public record PipelineCall(Call call, Kind kind, Object client, Endpoint endpoint) {
    private static final String TOO_LATE = "the call timed out";

    /// The properties of a call that are known before it is made. Immutable.
    ///
    /// @param tool the server's own name of the called tool; null for anything but a listed tool
    /// @param repeatable whether the server declares it idempotent
    /// @param retrySafety which calls may be sent again
    /// @param proves whether an answer counts as a success of the server: not for a handshake, nor for the
    ///     gateway's own requests
    public record Kind(@Nullable String tool, boolean repeatable, RetrySafety retrySafety, boolean proves) {
        /// A call that only reads.
        public static final Kind READING = new Kind(null, true, RetrySafety.SAFE, true);
        /// A call that only reads, and whose answer proves nothing.
        public static final Kind LOOKING = new Kind(null, true, RetrySafety.SAFE, false);

        /// A call of a client.
        public Kind(@Nullable String tool, boolean repeatable, RetrySafety retrySafety) {
            this(tool, repeatable, retrySafety, true);
        }
    }

    /// Lets later calls overtake this one, which waits for something that they need not wait for.
    void letOthersPass() {
        call.slot().release();
    }

    /// A failure as the client is to see it: a call that timed out was not cancelled by its client.
    public CallFailure reported(CallFailure failure) {
        boolean isCancelled = failure.code() == ErrorCode.CANCELLED && failure.category() == FailureCategory.CANCELLED;
        return isCancelled && deadline().isExpired()
                ? new CallFailure(
                        ErrorId.CALL_TIMEOUT, failure.category(), failure.delivery(), TOO_LATE, failure.evidence())
                : failure;
    }

    Deadline deadline() {
        return call.deadline();
    }

    long bytes() {
        return call.request().frame().length();
    }
}
