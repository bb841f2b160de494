package dev.fusebox.client;

import dev.fusebox.breaker.Rejection;
import dev.fusebox.breaker.Scope;
import dev.fusebox.breaker.State;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A failed call: what happened, who is to blame, how far it got, and what was seen. Immutable.
///
/// @param message what was tried, what was found, what to do
public record CallFailure(
        ErrorCode code, FailureCategory category, Delivery delivery, String message, Evidence evidence) {
    private static final long MEBIBYTE = 1 << 20;

    /// When a server may be ready: a guess, as nothing tells how long a start takes.
    private static final Duration SOON = Duration.ofSeconds(1);

    /// The breaker's own words; null if no breaker refused the call.
    public @Nullable Rejection rejection() {
        return evidence.context().rejection();
    }

    /// The same failure, of a call for this server.
    ///
    /// @param tool as the server calls it; null if it was no call of a tool
    /// @param alternatives that are well and offer the same
    public CallFailure at(String server, @Nullable String tool, List<Evidence.Alternative> alternatives) {
        Evidence.Context known = new Evidence.Context(
                rejection(), server, tool, alternatives, evidence.context().schema());
        return new CallFailure(code, category, delivery, message, evidence.in(known));
    }

    /// Whether the call was ended by us, with its connection.
    public boolean isCutOff() {
        return code == ErrorCode.CANCELLED && category == FailureCategory.LOCAL && delivery == Delivery.UNKNOWN;
    }

    /// A connection was let go of by us when a call was about to be sent on it; another one will take it.
    public static CallFailure withdrawn(String server) {
        String message = "the idle connection to " + server + " was being closed; the call was not sent, try again";
        return notSent(ErrorCode.CONNECT_FAILED, FailureCategory.LOCAL, message).of(Evidence.Extent.CONNECTION);
    }

    /// Whether nothing was sent because we had let go of the connection.
    public boolean isWithdrawn() {
        return code == ErrorCode.CONNECT_FAILED
                && category == FailureCategory.LOCAL
                && delivery == Delivery.NOT_SENT
                && evidence.extent() == Evidence.Extent.CONNECTION;
    }

    /// The same for a caller who did not want that.
    public CallFailure outcomeUnknown(String server) {
        String message = server + " stopped responding and was disconnected; what the call did is not known";
        return new CallFailure(ErrorCode.OUTCOME_UNKNOWN, FailureCategory.OFFLINE, Delivery.UNKNOWN, message, evidence);
    }

    /// The same failure of a call whose connection was ended by an operator's restart.
    public CallFailure restarted() {
        String happened =
                delivery == Delivery.NOT_SENT ? "the call was not sent; try again" : "what the call did is not known";
        String message = "the server was restarted by an operator; " + happened;
        return new CallFailure(ErrorCode.SERVER_RESTARTED, category, delivery, message, evidence);
    }

    /// Whether a request failed on a connection that goes on: other requests to the same server may well be
    /// answered.
    public boolean isOfOneRequest() {
        boolean isAnswer = code == ErrorCode.HTTP_ERROR || code == ErrorCode.PROTOCOL_VIOLATION;
        return evidence.extent() == Evidence.Extent.CALL
                && rejection() == null
                && (isAnswer || code == ErrorCode.TIMEOUT);
    }

    /// When it may be tried again; null if nobody knows.
    public @Nullable Duration retryAfter() {
        Rejection rejection = rejection();
        return rejection == null ? evidence.retryAfter() : rejection.retryAfter();
    }

    /// Refused by a breaker; nothing was sent.
    public static CallFailure refused(Rejection rejection) {
        ErrorCode code = rejection.scope() == Scope.TOOL ? ErrorCode.TOOL_BREAKER_OPEN : ErrorCode.BREAKER_OPEN;
        FailureCategory category = FailureCategory.spelled(rejection.lastCategory());
        boolean isCrashing = code == ErrorCode.TOOL_BREAKER_OPEN
                && category == FailureCategory.STDIO_EXIT
                && rejection.state() == State.OPEN;
        String message = isCrashing ? crashing(rejection) : rejection.modelMessage();
        return new CallFailure(code, category, Delivery.NOT_SENT, message, Evidence.of(rejection));
    }

    private static String crashing(Rejection rejection) {
        return "Circuit breaker '" + rejection.name() + "' is open: this tool crashes its server ("
                + (rejection.failureCount() == 1 ? "once" : rejection.failureCount() + " times")
                + "); do not retry before "
                + rejection.retryAt() + " (in " + rejection.retryAfterMs()
                + " ms), use another tool, or tell the user that it is unavailable.";
    }

    /// Refused because too much is being worked on; nothing was sent.
    public static CallFailure overloaded(String message, Duration retryAfter) {
        return new CallFailure(
                ErrorCode.OVERLOADED, FailureCategory.LOCAL, Delivery.NOT_SENT, message, Evidence.ofPause(retryAfter));
    }

    /// Refused by a rule of ours, about the call and not about the server.
    public static CallFailure policy(ErrorCode code, String message) {
        return notSent(code, FailureCategory.POLICY, message);
    }

    /// Refused because a tool does not take what it was to be called with.
    ///
    /// @param schema of what it takes, as JSON
    public static CallFailure wrongArguments(String message, String schema) {
        return new CallFailure(
                ErrorCode.INVALID_ARGUMENTS,
                FailureCategory.POLICY,
                Delivery.NOT_SENT,
                message,
                Evidence.ofSchema(schema));
    }

    /// Sent, and not answered in time.
    public static CallFailure timeout(String message) {
        return new CallFailure(ErrorCode.TIMEOUT, FailureCategory.OFFLINE, Delivery.UNKNOWN, message, Evidence.NONE);
    }

    /// Sent, and nobody was there to see whether it was answered in time.
    ///
    /// @param standstill for so long beyond its time
    public static CallFailure stoodStill(Duration standstill) {
        String message = "the gateway process was suspended for at least " + standstill.toSeconds()
                + " s while waiting for the response; what the call did is not known";
        return new CallFailure(ErrorCode.TIMEOUT, FailureCategory.LOCAL, Delivery.UNKNOWN, message, Evidence.NONE);
    }

    /// Answered with more than is let in: the server lives, and nobody has seen what became of the call.
    public static CallFailure tooLarge(long bytes, long limit) {
        long unit = limit % MEBIBYTE == 0 && bytes / MEBIBYTE > limit / MEBIBYTE ? MEBIBYTE : 1;
        String name = unit == 1 ? " bytes" : " MiB";
        return tooLarge(bytes / unit + name + " > " + limit / unit + name);
    }

    /// The same when nobody knows how much there would have been.
    public static CallFailure tooLarge(long limit) {
        return tooLarge("more than " + (limit % MEBIBYTE == 0 ? limit / MEBIBYTE + " MiB" : limit + " bytes"));
    }

    /// The server has answered, in more brackets than anybody reads.
    public static CallFailure tooDeep(int limit) {
        return beyond("result nested deeper than " + limit);
    }

    private static CallFailure tooLarge(String size) {
        return beyond("result too large (" + size + ")");
    }

    private static CallFailure beyond(String what) {
        String message = what + "; the server has responded, so the call may have taken effect";
        return new CallFailure(
                ErrorCode.PROTOCOL_VIOLATION, FailureCategory.PROTOCOL, Delivery.UNKNOWN, message, Evidence.NONE);
    }

    /// The server has answered, and breaks the rules of JSON-RPC.
    ///
    /// @param how it does
    public static CallFailure garbled(String how) {
        String message = "invalid JSON-RPC response: " + how + "; the call may have taken effect";
        return new CallFailure(
                ErrorCode.PROTOCOL_VIOLATION, FailureCategory.OTHER, Delivery.UNKNOWN, message, Evidence.NONE);
    }

    /// The server has answered in a batch, which only one revision of the protocol has.
    ///
    /// @param revision that the server speaks; null if it has named none
    public static CallFailure batched(@Nullable String revision) {
        String spoken = revision == null ? "this protocol revision" : "revision " + revision;
        return garbled("batches are not part of " + spoken);
    }

    /// The server has answered, in a shape that clients cannot read.
    ///
    /// @param what it sent
    public static CallFailure misshapen(String what) {
        String message = "invalid response: " + what + "; the call may have taken effect";
        return new CallFailure(
                ErrorCode.PROTOCOL_VIOLATION, FailureCategory.PROTOCOL, Delivery.UNKNOWN, message, Evidence.NONE);
    }

    /// The server has answered, and we have failed to take that in: for want of memory, or because of a bug.
    public static CallFailure notTaken(long bytes) {
        String message = "the gateway could not process a response of " + bytes
                + " bytes (out of memory or internal error, see its log); the call may have taken effect";
        return new CallFailure(ErrorCode.INTERNAL, FailureCategory.LOCAL, Delivery.UNKNOWN, message, Evidence.NONE);
    }

    /// There is no memory to be had for an answer, because of other answers.
    public static CallFailure noRoom() {
        String message =
                "the gateway has no memory left for large responses; the server has responded, so the call may have"
                        + " taken effect";
        return new CallFailure(
                ErrorCode.OVERLOADED,
                FailureCategory.LOCAL,
                Delivery.UNKNOWN,
                message,
                Evidence.ofPause(Duration.ofSeconds(1)));
    }

    /// A bug of ours, or no memory left, in the middle of the call.
    public static CallFailure broken() {
        String message = "internal error in the gateway; see its log";
        return new CallFailure(ErrorCode.INTERNAL, FailureCategory.LOCAL, Delivery.UNKNOWN, message, Evidence.NONE);
    }

    /// Cancelled, and perhaps done all the same.
    public static CallFailure cancelled() {
        return new CallFailure(
                ErrorCode.CANCELLED,
                FailureCategory.CANCELLED,
                Delivery.UNKNOWN,
                "cancelled by the client",
                Evidence.NONE);
    }

    /// Cancelled before anything was sent.
    public static CallFailure cancelledUnsent() {
        return notSent(ErrorCode.CANCELLED, FailureCategory.CANCELLED, "cancelled by the client");
    }

    /// The same failure, seen by a call that had to wait for what failed.
    public CallFailure unsent() {
        return new CallFailure(code, category, Delivery.NOT_SENT, message, evidence);
    }

    /// The same failure, of a call that has got so far before.
    public CallFailure reaching(Delivery other) {
        return other == delivery ? this : new CallFailure(code, category, other, message, evidence);
    }

    /// The same failure, seen by everyone who needed what failed.
    public CallFailure of(Evidence.Extent extent) {
        return new CallFailure(code, category, delivery, message, evidence.of(extent));
    }

    /// The same failure, with what is known to have stood in the way.
    public CallFailure by(FailureCause cause) {
        return new CallFailure(code, category, delivery, message, evidence.of(cause));
    }

    /// Nothing was sent, as the server is not ready yet; says when to try again.
    ///
    /// @param why without an end to the sentence
    public static CallFailure notReady(ErrorCode code, String why) {
        String message = why + "; the call was not sent, try again in " + SOON.toSeconds() + " s";
        return new CallFailure(code, FailureCategory.LOCAL, Delivery.NOT_SENT, message, Evidence.ofPause(SOON));
    }

    /// A failure of ours, before anything was sent.
    public static CallFailure notSent(ErrorCode code, String message) {
        return notSent(code, FailureCategory.LOCAL, message);
    }

    /// It provably never reached the server.
    public static CallFailure notSent(ErrorCode code, FailureCategory category, String message) {
        return new CallFailure(code, category, Delivery.NOT_SENT, message, Evidence.NONE);
    }
}
