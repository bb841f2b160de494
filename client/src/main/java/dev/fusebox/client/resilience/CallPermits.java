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

/// What one call was let in with: a permit of its server's breaker and, for a tool, one of the tool's. Each ends
/// once. Thread-safe; nothing blocks.
///
/// @param tool null if the call has no breaker of its own
record CallPermits(Permit server, @Nullable Permit tool) {
    /// What a tool's breaker is told of a tool that was silent while its server was not.
    static final String SILENT = "timeout";

    static final String ERROR = "error";

    /// The category of a crash that is attributed to a tool.
    static final String CRASHED = FailureCategory.STDIO_EXIT.toString();

    /// A call may have been given up, or its time be over, when its server still asks.
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

    /// No client is waited for longer.
    private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

    /// What asking for them gives. Immutable.
    sealed interface Asked {
        record Granted(CallPermits permits) implements Asked {}

        record Refused(Rejection rejection) implements Asked {}
    }

    /// Asks both, the server's first: a tool's probe makes no sense while the server is down.
    static Asked ask(CircuitBreaker server, @Nullable CircuitBreaker tool, Duration lease) {
        Admission ofServer = server.tryAcquire(lease);
        if (!(ofServer instanceof Permit permit)) {
            return new Asked.Refused((Rejection) ofServer);
        }
        if (tool == null) {
            return new Asked.Granted(new CallPermits(permit, null));
        }
        Admission ofTool = tool.tryAcquire(lease);
        if (ofTool instanceof Permit forTool) {
            return new Asked.Granted(new CallPermits(permit, forTool));
        }
        permit.abandoned();
        return new Asked.Refused((Rejection) ofTool);
    }

    /// What the breakers know of the call's time stands still while its own clock does. For any thread, and in any
    /// order: the last one to look sees how it is.
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

    /// The server answered.
    void answered() {
        server.succeeded();
        if (tool != null) {
            tool.succeeded();
        }
    }

    /// The server answered that the tool failed, and that is held against the tool.
    void erred() {
        server.succeeded();
        if (tool != null) {
            tool.failed(ERROR);
        }
    }

    /// The tool was silent; its server was not.
    void toolWasSilent() {
        server.succeeded();
        if (tool != null) {
            tool.failed(SILENT);
        }
    }

    /// Whether the call was let in to find out about its tool.
    boolean isProbeOfTool() {
        return tool != null && tool.isProbe();
    }

    /// The tool crashed its server: false unless this was the tool's probe, which has ended with that.
    boolean probeOfToolCrashed() {
        return tool != null && tool.isProbe() && tool.failed(CRASHED);
    }

    /// A crash has been counted against tools: a probe that it ended says nothing more, about the server or the
    /// tool.
    void crashIsOfTools() {
        if (isProbe()) {
            server.abandoned();
        }
        if (tool != null && tool.isProbe()) {
            tool.abandoned();
        }
    }

    /// The server failed the call.
    void serverFailed(CallFailure failure) {
        switch (failure.evidence().extent()) {
            case CALL -> server.failed(failure.category().toString());
            case CONNECTING, CONNECTION -> countedElsewhere(failure.category());
        }
        abandoned();
    }

    /// The server failed, and that is counted where it was seen, once. A probe has no other word than its own.
    void countedElsewhere(FailureCategory category) {
        if (isProbe()) {
            server.failed(category.toString());
        }
        abandoned();
    }

    /// The call says nothing about anybody; nothing if the permits have ended.
    void abandoned() {
        server.abandoned();
        if (tool != null) {
            tool.abandoned();
        }
    }
}
