package dev.fusebox.gateway.observe;

import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.State;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.pool.PoolSnapshot;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/// All metrics of the gateway in the Prometheus text format. Thread-safe; nothing blocks. Gauges are read on
/// request.
public final class Metrics {
    private static final ServerStatus[] STATES = ServerStatus.values();

    private final Totals totals;
    private final Breakers breakers;
    private final Gauges gauges;

    /// The counters. Immutable except for the counters.
    ///
    /// @param version of the gateway
    public record Totals(CallCounts calls, SessionCounts sessions, String version) {}

    /// The status of one server. Immutable.
    public record ServerState(String server, ServerStatus status) {}

    /// The calls of one server's pipeline. Immutable.
    ///
    /// @param inFlight running calls
    /// @param waiting queued calls
    public record Queue(String server, int inFlight, int waiting) {}

    /// The sources of the gauges. Immutable except for their content.
    ///
    /// @param states of all servers
    /// @param queues of all call pipelines
    /// @param pools of connections, by their names
    /// @param children the number of running processes
    public record Gauges(
            Supplier<List<ServerState>> states,
            Supplier<List<Queue>> queues,
            Supplier<Map<String, PoolSnapshot>> pools,
            IntSupplier children) {}

    public Metrics(Totals totals, Breakers breakers, Gauges gauges) {
        this.totals = totals;
        this.breakers = breakers;
        this.gauges = gauges;
    }

    /// The current values.
    public String text() {
        PrometheusText text = new PrometheusText();
        build(text);
        totals.calls().write(text);
        states(text, gauges.states().get());
        breakers(text, breakers.snapshots());
        calls(text, gauges.queues().get());
        pools(text, gauges.pools().get());
        text.family("fusebox_children", "gauge", "Running server processes.");
        text.sample("fusebox_children", gauges.children().getAsInt());
        totals.sessions().write(text);
        ProcessMetrics.write(text);
        return text.toString();
    }

    private void build(PrometheusText text) {
        text.family("fusebox_build_info", "gauge", "Always 1; the labels have the versions of Fusebox and Java.");
        text.sample(
                "fusebox_build_info",
                1,
                "version",
                totals.version(),
                "java",
                Runtime.version().toString());
    }

    /// A set of states has a sample for each state, of which one is 1 (OpenMetrics 1.0, section "StateSet").
    private static void states(PrometheusText text, List<ServerState> servers) {
        String name = "fusebox_server_state";
        text.family(name, "gauge", "1 for the server's current status, 0 for the others.");
        for (ServerState each : servers) {
            for (ServerStatus state : STATES) {
                text.sample(name, state == each.status() ? 1 : 0, "server", each.server(), "state", state.toString());
            }
        }
    }

    private static void breakers(PrometheusText text, List<BreakerSnapshot> all) {
        text.family(
                "fusebox_breaker_state",
                "gauge",
                "0 closed, 1 half-open, 2 open, 3 forced open, 4 disabled; one for each breaker.");
        all.forEach(each -> text.sample("fusebox_breaker_state", number(each.state()), labels(each)));
        text.family("fusebox_breaker_transitions_total", "counter", "State changes of a breaker.");
        all.forEach(each -> text.sample("fusebox_breaker_transitions_total", each.transition(), labels(each)));
    }

    private static int number(State state) {
        return switch (state) {
            case CLOSED -> 0;
            case HALF_OPEN -> 1;
            case OPEN -> 2;
            case FORCED_OPEN -> 3;
            case DISABLED -> 4;
        };
    }

    private static String[] labels(BreakerSnapshot breaker) {
        String tool = breaker.name().tool();
        return new String[] {
            "server",
            breaker.name().server(),
            "tool",
            tool == null ? "" : tool,
            "scope",
            breaker.scope().toString()
        };
    }

    private static void calls(PrometheusText text, List<Queue> queues) {
        text.family("fusebox_pool_calls_in_flight", "gauge", "Calls in flight to a server.");
        queues.forEach(each -> text.sample("fusebox_pool_calls_in_flight", each.inFlight(), "server", each.server()));
        text.family("fusebox_pool_calls_waiting", "gauge", "Queued calls.");
        queues.forEach(each -> text.sample("fusebox_pool_calls_waiting", each.waiting(), "server", each.server()));
    }

    private static void pools(PrometheusText text, Map<String, PoolSnapshot> pools) {
        for (PoolMetric each : PoolMetric.ALL) {
            text.family(each.name(), each.type(), each.help());
            pools.forEach((pool, sight) -> text.sample(each.name(), each.value().applyAsLong(sight), "pool", pool));
        }
    }

    /// A metric of each connection pool. Immutable.
    private record PoolMetric(String name, String type, String help, ToLongFunction<PoolSnapshot> value) {
        static final List<PoolMetric> ALL = List.of(
                gauge("size", "Limit of connections, without the reserve.", PoolSnapshot::size),
                gauge("connections", "Open connections.", PoolSnapshot::taken),
                gauge("idle", "Idle connections.", PoolSnapshot::idle),
                gauge("waiting", "Connection attempts waiting for a slot.", PoolSnapshot::waiting),
                total("evicted", "Connections evicted to make room for others.", PoolSnapshot.Totals::evicted),
                total("expired", "Connections closed after the idle timeout.", PoolSnapshot.Totals::expired),
                total("reserve", "Connections opened from the reserve.", PoolSnapshot.Totals::reserved),
                total(
                        "refused",
                        "Connection attempts rejected because the pool was full.",
                        PoolSnapshot.Totals::refused));

        private static PoolMetric gauge(String what, String help, ToLongFunction<PoolSnapshot> value) {
            return new PoolMetric("fusebox_pool_" + what, "gauge", help, value);
        }

        private static PoolMetric total(String what, String help, ToLongFunction<PoolSnapshot.Totals> value) {
            return new PoolMetric(
                    "fusebox_pool_" + what + "_total", "counter", help, sight -> value.applyAsLong(sight.totals()));
        }
    }
}
