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

/// All numbers of the gateway, in the text format of Prometheus. Thread-safe; nothing blocks. What is not counted
/// by calls is looked up when somebody asks.
public final class Metrics {
    private static final ServerStatus[] STATES = ServerStatus.values();

    private final Totals totals;
    private final Breakers breakers;
    private final Gauges gauges;

    /// What is counted. Immutable but for the counters.
    ///
    /// @param version of the gateway
    public record Totals(CallCounts calls, SessionCounts sessions, Supplier<String> version) {}

    /// The state of one server. Immutable.
    public record ServerState(String server, ServerStatus status) {}

    /// The calls of one server's lane. Immutable.
    ///
    /// @param inFlight on their way
    /// @param waiting for their turn
    public record Queue(String server, int inFlight, int waiting) {}

    /// What is looked up. Immutable but for what it looks at.
    ///
    /// @param states of all servers
    /// @param queues of all lanes
    /// @param pools of connections, by their names
    /// @param children processes that run
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

    /// As they are at this moment.
    public String text() {
        PrometheusText text = new PrometheusText();
        build(text);
        totals.calls().write(text);
        states(text, gauges.states().get());
        breakers(text, breakers.snapshots());
        calls(text, gauges.queues().get());
        pools(text, gauges.pools().get());
        text.family("fusebox_children", "gauge", "Processes of servers that run.");
        text.sample("fusebox_children", gauges.children().getAsInt());
        totals.sessions().write(text);
        ProcessMetrics.write(text);
        return text.toString();
    }

    private void build(PrometheusText text) {
        text.family("fusebox_build_info", "gauge", "Always 1; the labels say which Fusebox this is, on which Java.");
        text.sample(
                "fusebox_build_info",
                1,
                "version",
                totals.version().get(),
                "java",
                Runtime.version().toString());
    }

    /// A set of states has a sample for each state, of which one is 1 (OpenMetrics 1.0, section "StateSet").
    private static void states(PrometheusText text, List<ServerState> servers) {
        String name = "fusebox_server_state";
        text.family(name, "gauge", "1 for the status that a server has, 0 for the others.");
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
        text.family("fusebox_breaker_transitions_total", "counter", "How often a breaker changed its state.");
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
        text.family("fusebox_pool_calls_in_flight", "gauge", "Calls on their way to a server.");
        queues.forEach(each -> text.sample("fusebox_pool_calls_in_flight", each.inFlight(), "server", each.server()));
        text.family("fusebox_pool_calls_waiting", "gauge", "Calls that wait for their turn.");
        queues.forEach(each -> text.sample("fusebox_pool_calls_waiting", each.waiting(), "server", each.server()));
    }

    private static void pools(PrometheusText text, Map<String, PoolSnapshot> pools) {
        for (OfPool each : OfPool.ALL) {
            text.family(each.name(), each.type(), each.help());
            pools.forEach((pool, sight) -> text.sample(each.name(), each.value().applyAsLong(sight), "pool", pool));
        }
    }

    /// A number of each pool of connections. Immutable.
    private record OfPool(String name, String type, String help, ToLongFunction<PoolSnapshot> value) {
        static final List<OfPool> ALL = List.of(
                gauge("size", "Connections that there may be, without the reserve.", PoolSnapshot::size),
                gauge("connections", "Connections that there are.", PoolSnapshot::taken),
                gauge("idle", "Idle connections.", PoolSnapshot::idle),
                gauge("waiting", "Attempts to connect that wait for their turn.", PoolSnapshot::waiting),
                total("evicted", "Connections that made room for others.", PoolSnapshot.Totals::evicted),
                total("expired", "Connections closed after they were idle for long.", PoolSnapshot.Totals::expired),
                total("reserve", "Connections above the size.", PoolSnapshot.Totals::reserved),
                total("refused", "Attempts to connect that got no connection.", PoolSnapshot.Totals::refused));

        private static OfPool gauge(String what, String help, ToLongFunction<PoolSnapshot> value) {
            return new OfPool("fusebox_pool_" + what, "gauge", help, value);
        }

        private static OfPool total(String what, String help, ToLongFunction<PoolSnapshot.Totals> value) {
            return new OfPool(
                    "fusebox_pool_" + what + "_total", "counter", help, sight -> value.applyAsLong(sight.totals()));
        }
    }
}
