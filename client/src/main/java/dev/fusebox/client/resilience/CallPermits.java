package dev.fusebox.client.resilience;

import dev.fusebox.breaker.Admission;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Permit;
import dev.fusebox.breaker.Rejection;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.FailureCategory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The permits of one admitted call: one of its server's breaker and, for a tool, one of the tool's. Each ends
/// once. Thread-safe; nothing blocks.
///
/// @param tool null if the called tool has no breaker
record CallPermits(Permit server, @Nullable Permit tool) {
    /// The category that a tool's breaker records when the tool timed out and its server is alive.
    static final String SILENT = "timeout";

    static final String ERROR = "error";

    /// The category of a crash that is attributed to a tool.
    static final String CRASHED = FailureCategory.STDIO_EXIT.toString();

    /// Shortest pause. The call may have been cancelled, or have timed out, while its server still waits for an
    /// answer of the client.
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

    /// Longest pause; no client is waited for longer.
    private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

    /// The answer to a request for permits. Immutable.
    sealed interface PermitResult {
        record Granted(CallPermits permits) implements PermitResult {}

        record Refused(Rejection rejection) implements PermitResult {}
    }

    /// Requests both permits, the server's first: a tool's probe makes no sense while the server is down.
    static PermitResult ask(CircuitBreaker server, @Nullable CircuitBreaker tool, Duration lease) {
        Admission ofServer = server.tryAcquire(lease);
        if (!(ofServer instanceof Permit permit)) {
            return new PermitResult.Refused((Rejection) ofServer);
        }
        if (tool == null) {
            return new PermitResult.Granted(new CallPermits(permit, null));
        }
        Admission ofTool = tool.tryAcquire(lease);
        if (ofTool instanceof Permit forTool) {
            return new PermitResult.Granted(new CallPermits(permit, forTool));
        }
        permit.abandoned();
        return new PermitResult.Refused((Rejection) ofTool);
    }

    /// Pauses the breakers' clocks while the deadline of the call is suspended. For any thread, and in any
    /// order: the last one to look sees the current state.
    void follow(Deadline deadline) {
        boolean isStopped;
        do {
            isStopped = deadline.isStopped();
            if (isStopped) {
                pause(Duration.ofNanos(Math.clamp(deadline.left(), SHORTEST_PAUSE.toNanos(), LONGEST_PAUSE.toNanos())));
            } else {
                resume();
            }
        } while (deadline.isStopped() != isStopped);
    }

    private void pause(Duration atMost) {
        server.pause(atMost);
        if (tool != null) {
            tool.pause(atMost);
        }
    }

    private void resume() {
        server.resume();
        if (tool != null) {
            tool.resume();
        }
    }

    boolean isProbe() {
        return server.isProbe();
    }

    /// Records that the server answered.
    void answered() {
        server.succeeded();
        if (tool != null) {
            tool.succeeded();
        }
    }

    /// Records that the tool returned an error that counts against it.
    void erred() {
        server.succeeded();
        if (tool != null) {
            tool.failed(ERROR);
        }
    }

    /// Records that the tool timed out while its server was alive.
    void toolWasSilent() {
        server.succeeded();
        if (tool != null) {
            tool.failed(SILENT);
        }
    }

    /// Whether the call is a probe of its tool.
    boolean isProbeOfTool() {
        return tool != null && tool.isProbe();
    }

    /// Records that the tool crashed its server. False unless this was the tool's probe, which ends with that.
    boolean probeOfToolCrashed() {
        return tool != null && tool.isProbe() && tool.failed(CRASHED);
    }

    /// Records that a crash was counted against tools: a probe that it ended then gives no information about the
    /// server or the tool.
    void attributeCrashToTool() {
        if (isProbe()) {
            server.abandoned();
        }
        if (tool != null && tool.isProbe()) {
            tool.abandoned();
        }
    }

    /// Records that the server failed the call.
    void serverFailed(CallFailure failure) {
        switch (failure.evidence().extent()) {
            case CALL -> server.failed(failure.category().toString());
            case CONNECTING, CONNECTION -> countedElsewhere(failure.category());
        }
        abandoned();
    }

    /// Records a failure of the server that is counted once where it was seen. A probe is not counted anywhere
    /// else, and records the failure itself.
    void countedElsewhere(FailureCategory category) {
        if (isProbe()) {
            server.failed(category.toString());
        }
        abandoned();
    }

    /// Returns the permits without a verdict; does nothing if they have ended.
    void abandoned() {
        server.abandoned();
        if (tool != null) {
            tool.abandoned();
        }
    }
}
