package dev.fusebox.client.resilience;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import org.jspecify.annotations.Nullable;

/// A call with what a pipeline has to know of it. Immutable but for the deadline of the call.
///
/// @param call the call
/// @param kind of the call
/// @param client whose turn in the queue the call takes: calls of one client wait in order, and clients take turns
/// @param endpoint of the server
public record PipelineCall(Call call, Kind kind, Object client, Endpoint endpoint) {
    private static final String TOO_LATE = "no answer came within the time that the call was given";

    /// What is known of a call before it is made. Immutable.
    ///
    /// @param tool that it calls, as the server names it; null for anything but a tool that is listed
    /// @param repeatable whether doing it twice is the same as once, as far as the server says
    /// @param retrySafety what may be sent a second time
    /// @param proves whether an answer is a success of the server's: not to a handshake, nor to what only we ask
    public record Kind(@Nullable String tool, boolean repeatable, RetrySafety retrySafety, boolean proves) {
        /// Something that only reads.
        public static final Kind READING = new Kind(null, true, RetrySafety.SAFE, true);
        /// The same, when an answer proves nothing.
        public static final Kind LOOKING = new Kind(null, true, RetrySafety.SAFE, false);

        /// A call of a client's.
        public Kind(@Nullable String tool, boolean repeatable, RetrySafety retrySafety) {
            this(tool, repeatable, retrySafety, true);
        }
    }

    /// The call waits for something that others need not wait for: those after it may overtake it.
    void letOthersPass() {
        call.slot().leave();
    }

    /// A failure of the call in the words of its client, which did not cancel a call whose time was over.
    public CallFailure told(CallFailure failure) {
        boolean isCancelled = failure.code() == ErrorCode.CANCELLED && failure.category() == FailureCategory.CANCELLED;
        return isCancelled && deadline().isExpired()
                ? new CallFailure(
                        ErrorCode.TIMEOUT, failure.category(), failure.delivery(), TOO_LATE, failure.evidence())
                : failure;
    }

    Deadline deadline() {
        return call.deadline();
    }

    long bytes() {
        return call.request().frame().length();
    }
}
