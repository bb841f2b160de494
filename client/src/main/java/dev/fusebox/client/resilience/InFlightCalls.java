package dev.fusebox.client.resilience;

import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The client calls in flight to one server, under current and earlier rules. Thread-safe; nothing blocks.
final class InFlightCalls {
    private final Map<Deadline, InFlightCall> calls = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    /// One call in flight.
    static final class InFlightCall {
        private final PipelineCall call;
        private final CallPermits permits;
        private final long number;
        private volatile boolean crashed;

        private InFlightCall(PipelineCall call, CallPermits permits, long number) {
            this.call = call;
            this.permits = permits;
            this.number = number;
        }

        PipelineCall call() {
            return call;
        }

        @Nullable
        String tool() {
            return permits.tool() == null ? null : call.kind().tool();
        }

        /// Sequence number; later calls have larger ones.
        long number() {
            return number;
        }

        CallPermits permits() {
            return permits;
        }

        /// Notes that the server crashed during an attempt of this call, and that the crash is attributed to
        /// tools.
        void crashed() {
            permits.attributeCrashToTool();
            crashed = true;
        }

        boolean hasCrashed() {
            return crashed;
        }
    }

    /// Registers a call, to be removed with [#end].
    InFlightCall begin(PipelineCall call, CallPermits permits) {
        InFlightCall inFlightCall = new InFlightCall(call, permits, last.incrementAndGet());
        if (call.kind().proves()) {
            calls.put(call.deadline(), inFlightCall);
        }
        return inFlightCall;
    }

    void end(InFlightCall inFlightCall) {
        calls.remove(inFlightCall.call.deadline(), inFlightCall);
    }

    /// The calls that were sent on the connection and are not answered.
    List<InFlightCall> on(Connection connection) {
        return connection.inFlight().stream()
                .map(deadline -> calls.get(deadline.ofCall()))
                .filter(Objects::nonNull)
                .toList();
    }

    /// The client whose calls are the only ones on the connection; null if there are none, or those of several.
    @Nullable
    Object onlyClient(Connection connection) {
        List<Object> clients = clients(on(connection));
        return clients.size() == 1 ? clients.getFirst() : null;
    }

    /// Whether several calls are on the connection, and it is not one of many that serve one client each.
    ///
    /// @param inside number of client calls on all connections to the server
    boolean isShared(Connection connection, int inside) {
        List<InFlightCall> inFlightCall = on(connection);
        return inFlightCall.size() > 1
                && (inFlightCall.size() >= inside || clients(inFlightCall).size() > 1);
    }

    private static List<Object> clients(List<InFlightCall> calls) {
        return calls.stream()
                .map(inFlightCall -> inFlightCall.call.client())
                .distinct()
                .toList();
    }
}
