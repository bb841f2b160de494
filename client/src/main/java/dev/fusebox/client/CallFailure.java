package dev.fusebox.client;

import dev.fusebox.breaker.Rejection;
import dev.fusebox.breaker.Scope;
import dev.fusebox.breaker.State;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Failure of a call: error id, category, delivery state, message and evidence. Immutable.
///
/// @param category that of the id, or another where its cause is not the usual one
/// @param message what was tried, what was found, what to do
public record CallFailure(ErrorId id, FailureCategory category, Delivery delivery, String message, Evidence evidence) {
    private static final long MEBIBYTE = 1 << 20;

    /// When a server may be ready: an estimate, since the duration of a start is unknown.
    private static final Duration RETRY_WHEN_READY = Duration.ofSeconds(1);

    /// A failure with the category and the delivery state of its id; [Delivery#UNKNOWN] where that depends on the
    /// call.
    public static CallFailure of(ErrorId id, String message) {
        Delivery delivery = Objects.requireNonNullElse(id.delivery(), Delivery.UNKNOWN);
        return new CallFailure(id, id.category(), delivery, message, Evidence.NONE);
    }

    /// The code, as callers see it.
    public ErrorCode code() {
        return id.code();
    }

    /// The rejection of the breaker; null if no breaker rejected the call.
    public @Nullable Rejection rejection() {
        return evidence.context().rejection();
    }

    /// The same failure for a call to this server.
    ///
    /// @param tool under the name that the server uses; null if the call was not a tool call
    /// @param alternatives healthy tools that offer the same
    public CallFailure at(String server, @Nullable String tool, List<Evidence.Alternative> alternatives) {
        Evidence.Context known = new Evidence.Context(
                rejection(), server, tool, alternatives, evidence.context().schema());
        return new CallFailure(id, category, delivery, message, evidence.in(known));
    }

    /// Whether the gateway ended the call together with its connection.
    public boolean isCutOff() {
        return id == ErrorId.CANCELLED && category == FailureCategory.LOCAL && delivery == Delivery.UNKNOWN;
    }

    /// The connection was closed as idle when a call was about to be sent on it; another connection will take the
    /// call.
    public static CallFailure connectionRetired(String server) {
        String message = "the idle connection to " + server + " was being closed; the call was not sent, try again";
        return notSent(ErrorId.CONNECT_FAILED, FailureCategory.LOCAL, message).of(Evidence.Extent.CONNECTION);
    }

    /// Whether nothing was sent because the connection was closed as idle.
    public boolean isConnectionRetired() {
        return id == ErrorId.CONNECT_FAILED
                && category == FailureCategory.LOCAL
                && delivery == Delivery.NOT_SENT
                && evidence.extent() == Evidence.Extent.CONNECTION;
    }

    /// The failure of a call that was in flight when its unresponsive server was disconnected because of another
    /// call.
    public CallFailure outcomeUnknown(String server) {
        String message = server + " stopped responding and was disconnected; the call may have been executed";
        return new CallFailure(ErrorId.OUTCOME_UNKNOWN, FailureCategory.OFFLINE, Delivery.UNKNOWN, message, evidence);
    }

    /// The same failure of a call whose connection was ended by a restart that an operator requested.
    public CallFailure restarted() {
        String happened =
                delivery == Delivery.NOT_SENT ? "the call was not sent; try again" : "the call may have been executed";
        String message = "the server was restarted by an operator; " + happened;
        return new CallFailure(ErrorId.SERVER_RESTARTED, category, delivery, message, evidence);
    }

    /// Whether a single request failed on a connection that stays usable: other requests to the same server may
    /// still be answered.
    public boolean isOfOneRequest() {
        return evidence.extent() == Evidence.Extent.CALL
                && rejection() == null
                && switch (code()) {
                    case HTTP_ERROR, PROTOCOL_VIOLATION, TIMEOUT -> id != ErrorId.SESSION_LOST;
                    default -> false;
                };
    }

    /// When to retry; null if that is unknown.
    public @Nullable Duration retryAfter() {
        Rejection rejection = rejection();
        return rejection == null ? evidence.retryAfter() : rejection.retryAfter();
    }

    /// Rejected by a breaker; nothing was sent.
    public static CallFailure refused(Rejection rejection) {
        ErrorId id = rejection.scope() == Scope.TOOL ? ErrorId.TOOL_BREAKER_OPEN : ErrorId.BREAKER_OPEN;
        FailureCategory category = FailureCategory.spelled(rejection.lastCategory());
        boolean isCrashing = id == ErrorId.TOOL_BREAKER_OPEN
                && category == FailureCategory.STDIO_EXIT
                && rejection.state() == State.OPEN;
        String message = isCrashing ? crashMessage(rejection) : rejection.modelMessage();
        return new CallFailure(id, category, Delivery.NOT_SENT, message, Evidence.of(rejection));
    }

    private static String crashMessage(Rejection rejection) {
        return "Circuit breaker '" + rejection.name() + "' is open: this tool has crashed its server ("
                + (rejection.failureCount() == 1 ? "once" : rejection.failureCount() + " times")
                + "); do not retry before "
                + rejection.retryAt() + " (in " + rejection.retryAfterMs()
                + " ms), use another tool, or tell the user that it is unavailable.";
    }

    /// Rejected because of too much load; nothing was sent.
    public static CallFailure overloaded(String message, Duration retryAfter) {
        return new CallFailure(
                ErrorId.OVERLOADED, FailureCategory.LOCAL, Delivery.NOT_SENT, message, Evidence.ofPause(retryAfter));
    }

    /// Rejected by a rule of the gateway; gives no information about the server.
    public static CallFailure policy(ErrorId id, String message) {
        return notSent(id, FailureCategory.POLICY, message);
    }

    /// Rejected because the arguments do not match the schema of the tool.
    ///
    /// @param schema of the arguments, as JSON
    public static CallFailure wrongArguments(String message, String schema) {
        return new CallFailure(
                ErrorId.INVALID_ARGUMENTS,
                FailureCategory.POLICY,
                Delivery.NOT_SENT,
                message,
                Evidence.ofSchema(schema));
    }

    /// Sent, and not answered in time.
    public static CallFailure timeout(String message) {
        return of(ErrorId.CALL_TIMEOUT, message);
    }

    /// Sent, and the gateway process did not run when the response was due.
    ///
    /// @param standstill how long beyond the deadline
    public static CallFailure gatewaySuspended(Duration standstill) {
        String message = "the gateway process was suspended for at least " + standstill.toSeconds()
                + " s while waiting for the response; the call may have been executed";
        return new CallFailure(ErrorId.CALL_TIMEOUT, FailureCategory.LOCAL, Delivery.UNKNOWN, message, Evidence.NONE);
    }

    /// The response is larger than the limit: the server is alive, and the effect of the call is unknown.
    public static CallFailure tooLarge(long bytes, long limit) {
        long unit = limit % MEBIBYTE == 0 && bytes / MEBIBYTE > limit / MEBIBYTE ? MEBIBYTE : 1;
        String name = unit == 1 ? " bytes" : " MiB";
        return tooLarge(bytes / unit + name + " > " + limit / unit + name);
    }

    /// The same for a response of unknown size.
    public static CallFailure tooLarge(long limit) {
        return tooLarge("more than " + (limit % MEBIBYTE == 0 ? limit / MEBIBYTE + " MiB" : limit + " bytes"));
    }

    /// The response is nested deeper than the limit.
    public static CallFailure tooDeep(int limit) {
        return limitExceeded("result nested deeper than " + limit, "");
    }

    private static CallFailure tooLarge(String size) {
        return limitExceeded("result too large (" + size + ", limits.frameBytes)", "; request less data in one call");
    }

    private static CallFailure limitExceeded(String what, String remedy) {
        String message = what + "; the server has responded, so the call may have been executed" + remedy;
        return of(ErrorId.PROTOCOL_VIOLATION, message);
    }

    /// The response violates JSON-RPC.
    ///
    /// @param how it does
    public static CallFailure invalidResponse(String how) {
        String message = "invalid JSON-RPC response: " + how + "; the call may have been executed";
        return new CallFailure(
                ErrorId.PROTOCOL_VIOLATION, FailureCategory.OTHER, Delivery.UNKNOWN, message, Evidence.NONE);
    }

    /// The response came in a batch, which only one revision of the protocol allows.
    ///
    /// @param revision of the session; null if the server has named none
    public static CallFailure batched(@Nullable String revision) {
        String spoken = revision == null ? "this protocol revision" : "revision " + revision;
        return invalidResponse("batches are not part of " + spoken);
    }

    /// The response has a shape that clients cannot read.
    ///
    /// @param what is wrong with it
    public static CallFailure invalidShape(String what) {
        return of(ErrorId.PROTOCOL_VIOLATION, "invalid response: " + what + "; the call may have been executed");
    }

    /// The gateway failed to process the response: out of memory, or a bug.
    public static CallFailure responseNotProcessed(long bytes) {
        String message = "the gateway could not process a response of " + bytes
                + " bytes (out of memory or internal error, see its log); the call may have been executed";
        return of(ErrorId.INTERNAL, message);
    }

    /// No memory is left for the response, because of other responses.
    public static CallFailure outOfMemory() {
        String message =
                "the gateway has no memory left for large responses; the server has responded, so the call may have"
                        + " been executed";
        return new CallFailure(
                ErrorId.OVERLOADED,
                FailureCategory.LOCAL,
                Delivery.UNKNOWN,
                message,
                Evidence.ofPause(Duration.ofSeconds(1)));
    }

    /// A bug in the gateway, or out of memory, in the middle of the call.
    public static CallFailure broken() {
        return of(ErrorId.INTERNAL, "internal error in the gateway; see its log");
    }

    /// Cancelled; the call may have been executed.
    public static CallFailure cancelled() {
        return of(ErrorId.CANCELLED, "cancelled by the client");
    }

    /// A request that only the process behind a lost connection could have answered. It was not sent.
    public static CallFailure processGone() {
        return notSent(ErrorId.SERVER_EXITED, "the process that works on the task has ended");
    }

    /// Cancelled before anything was sent.
    public static CallFailure cancelledUnsent() {
        return notSent(ErrorId.CANCELLED, FailureCategory.CANCELLED, "cancelled by the client");
    }

    /// The same failure for a call that waited for the failed operation and was not sent.
    public CallFailure unsent() {
        return new CallFailure(id, category, Delivery.NOT_SENT, message, evidence);
    }

    /// The same failure with other evidence.
    public CallFailure with(Evidence other) {
        return new CallFailure(id, category, delivery, message, other);
    }

    /// The same failure with another delivery state.
    public CallFailure withDelivery(Delivery other) {
        return other == delivery ? this : new CallFailure(id, category, other, message, evidence);
    }

    /// The same failure with this extent.
    public CallFailure of(Evidence.Extent extent) {
        return new CallFailure(id, category, delivery, message, evidence.of(extent));
    }

    /// Nothing was sent, as the server is not ready yet; the message says when to retry.
    ///
    /// @param why without an end to the sentence
    public static CallFailure notReady(ErrorId id, String why) {
        String message = why + "; the call was not sent, try again in " + RETRY_WHEN_READY.toSeconds() + " s";
        return new CallFailure(
                id, FailureCategory.LOCAL, Delivery.NOT_SENT, message, Evidence.ofPause(RETRY_WHEN_READY));
    }

    /// A local failure before anything was sent.
    public static CallFailure notSent(ErrorId id, String message) {
        return notSent(id, FailureCategory.LOCAL, message);
    }

    /// A failure of a call that provably never reached the server.
    public static CallFailure notSent(ErrorId id, FailureCategory category, String message) {
        return new CallFailure(id, category, Delivery.NOT_SENT, message, Evidence.NONE);
    }
}
