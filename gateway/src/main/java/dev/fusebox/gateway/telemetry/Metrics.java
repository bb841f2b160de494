package dev.fusebox.gateway.telemetry;

import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.State;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/// All numbers of the gateway, in the text format of Prometheus. Thread-safe; nothing blocks. What is not counted by
/// calls is looked up when somebody asks.
public final class Metrics {
    private final CallCounts counts;
    private final Breakers breakers;
    private final Supplier<List<Queue>> queues;
    private final IntSupplier children;

    /// The calls of one server's lane. Immutable.
    ///
    /// @param inFlight on their way
    /// @param waiting for their turn
    public record Queue(String server, int inFlight, int waiting) {}

    public Metrics(CallCounts counts, Breakers breakers, Supplier<List<Queue>> queues, IntSupplier children) {
        this.counts = counts;
        this.breakers = breakers;
        this.queues = queues;
        this.children = children;
    }

    /// As they are at this moment.
    public String text() {
        PrometheusText text = new PrometheusText();
        counts.write(text);
        breakers(text, breakers.snapshots());
        pool(text, queues.get());
        text.family("fusebox_children", "gauge", "Processes of servers that run.");
        text.sample("fusebox_children", children.getAsInt());
        return text.toString();
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

    private static void pool(PrometheusText text, List<Queue> queues) {
        text.family("fusebox_pool_calls_in_flight", "gauge", "Calls on their way to a server.");
        queues.forEach(each -> text.sample("fusebox_pool_calls_in_flight", each.inFlight(), "server", each.server()));
        text.family("fusebox_pool_calls_waiting", "gauge", "Calls that wait for their turn.");
        queues.forEach(each -> text.sample("fusebox_pool_calls_waiting", each.waiting(), "server", each.server()));
    }
}
