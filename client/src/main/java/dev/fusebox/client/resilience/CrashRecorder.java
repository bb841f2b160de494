package dev.fusebox.client.resilience;

import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Failure;
import dev.fusebox.breaker.Permit;
import dev.fusebox.breaker.State;
import dev.fusebox.client.Connection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The recorder of crashes: it counts a crash at the breakers of the tools that caused it; otherwise the crash
/// counts for the server. A crash is one failure, regardless of the number of calls that it ended. Thread-safe;
/// nothing blocks.
final class CrashRecorder {
    private final InFlightCalls inFlightCalls;
    private final CrashAttribution attribution;
    private final Function<String, @Nullable CircuitBreaker> breakers;

    /// @param breakers by tool name; null for a tool without a breaker
    CrashRecorder(
            InFlightCalls inFlightCalls, int crashThreshold, Function<String, @Nullable CircuitBreaker> breakers) {
        this.inFlightCalls = inFlightCalls;
        this.attribution = new CrashAttribution(crashThreshold);
        this.breakers = breakers;
    }

    /// Records that the process of the connection exited. True if the crash is attributed to tools, whose
    /// breakers have then counted it.
    boolean isOfTools(Connection connection) {
        List<InFlightCalls.InFlightCall> calls = inFlightCalls.on(connection);
        InFlightCalls.InFlightCall probe = suspectedProbe(calls);
        List<InFlightCalls.InFlightCall> suspects = probe == null ? calls : List.of(probe);
        Map<String, List<InFlightCalls.InFlightCall>> ofTools = suspects.stream()
                .filter(inFlightCall -> inFlightCall.tool() != null)
                .collect(Collectors.groupingBy(CrashRecorder::tool));
        boolean hasOthers = suspects.stream().anyMatch(inFlightCall -> inFlightCall.tool() == null);
        Map<String, Integer> blamed = attribution.crashed(ofTools.keySet(), hasOthers);
        if (blamed.isEmpty()) {
            return false;
        }
        blamed.forEach((tool, crashes) -> count(tool, ofTools.getOrDefault(tool, List.of()), crashes));
        calls.forEach(InFlightCalls.InFlightCall::crashed);
        return true;
    }

    /// The probe of a tool that was blocked because of crashes; of several, the one sent last. Only that one is
    /// suspected: otherwise two such tools, only one of which crashes the server, would fail each other's probes
    /// forever.
    private InFlightCalls.@Nullable InFlightCall suspectedProbe(List<InFlightCalls.InFlightCall> calls) {
        return calls.stream()
                .filter(this::isProbeAfterCrashes)
                .max(Comparator.comparingLong(InFlightCalls.InFlightCall::number))
                .orElse(null);
    }

    private boolean isProbeAfterCrashes(InFlightCalls.InFlightCall inFlightCall) {
        if (!inFlightCall.permits().isProbeOfTool()) {
            return false;
        }
        CircuitBreaker breaker = breakers.apply(tool(inFlightCall));
        Failure last = breaker == null ? null : breaker.snapshot().lastFailure();
        return last != null && last.category().equals(CallPermits.CRASHED);
    }

    private static String tool(InFlightCalls.InFlightCall inFlightCall) {
        return Objects.requireNonNull(inFlightCall.tool());
    }

    /// A probe records the crash with its own permit. Other calls keep their permits, as they may be retried.
    private void count(String tool, List<InFlightCalls.InFlightCall> calls, int crashes) {
        boolean isTold = crashes > 0
                && calls.stream()
                        .anyMatch(inFlightCall -> inFlightCall.permits().probeOfToolCrashed());
        Permit permit = isTold || crashes == 0 ? null : permit(tool);
        for (int left = crashes; left > 0 && permit != null; left--) {
            permit.failed(CallPermits.CRASHED);
            permit = left > 1 ? permit(tool) : null;
        }
    }

    /// Null if the tool's breaker does not count now: an open one needs no more failures, and only a call may
    /// be a probe.
    private @Nullable Permit permit(String tool) {
        CircuitBreaker breaker = breakers.apply(tool);
        if (breaker == null || breaker.state() == State.OPEN) {
            return null;
        }
        return breaker.tryAcquire() instanceof Permit permit ? permit : null;
    }

    /// Records an answered call.
    void answered(InFlightCalls.InFlightCall inFlightCall) {
        String tool = inFlightCall.tool();
        if (tool != null) {
            attribution.answered(tool);
        }
    }
}
