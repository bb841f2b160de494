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
    private final Map<Deadline, Sent> calls = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    /// One call in flight.
    static final class Sent {
        private final PipelineCall call;
        private final CallPermits permits;
        private final long number;
        private volatile boolean crashed;

        private Sent(PipelineCall call, CallPermits permits, long number) {
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
    Sent begin(PipelineCall call, CallPermits permits) {
        Sent sent = new Sent(call, permits, last.incrementAndGet());
        if (call.kind().proves()) {
            calls.put(call.deadline(), sent);
        }
        return sent;
    }

    void end(Sent sent) {
        calls.remove(sent.call.deadline(), sent);
    }

    /// The calls that were sent on the connection and are not answered.
    List<Sent> on(Connection connection) {
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
        List<Sent> sent = on(connection);
        return sent.size() > 1 && (sent.size() >= inside || clients(sent).size() > 1);
    }

    private static List<Object> clients(List<Sent> calls) {
        return calls.stream().map(sent -> sent.call.client()).distinct().toList();
    }
}
