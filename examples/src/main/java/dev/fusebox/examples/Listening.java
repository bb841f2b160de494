package dev.fusebox.examples;

import dev.fusebox.breaker.BreakerEvent;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.HealthSummary;
import dev.fusebox.breaker.Surroundings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// A listener that logs and counts the events of all breakers of an application and prints a health summary.
///
/// Each listener receives one type of event; `BreakerEvent.class` would be all of them, for a `switch` over its
/// types from Java 21 on. Thread-safe; does not block.
public final class Listening {
    private final PrintStream log;
    private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();

    Listening(PrintStream log) {
        this.log = log;
    }

    public static void main(String[] args) {
        run(System.out, Surroundings.system());
    }

    // region: listening
    void listenTo(Breakers breakers) {
        breakers.on(
                BreakerEvent.StateChange.class,
                change -> log.println(
                        change.name() + ": " + change.from() + " -> " + change.to() + ", " + change.reason()));
        breakers.on(
                BreakerEvent.HalfOpenTest.class,
                test -> log.println(
                        test.name() + ": test call " + test.call() + ", at most " + test.maxCalls() + " at once"));
        breakers.on(BreakerEvent.CallSucceeded.class, call -> count(call, "succeeded"));
        breakers.on(BreakerEvent.CallFailed.class, call -> count(call, "failed." + call.category()));
        breakers.on(BreakerEvent.CallRejected.class, call -> count(call, "refused"));
    }
    // end: listening

    private void count(BreakerEvent event, String what) {
        counters.computeIfAbsent(event.name() + "." + what, key -> new LongAdder())
                .increment();
    }

    /// All counters, sorted by name.
    Map<String, Long> counters() {
        var sums = new TreeMap<String, Long>();
        counters.forEach((name, counter) -> sums.put(name, counter.sum()));
        return sums;
    }

    static void run(PrintStream out, Surroundings surroundings) {
        var listening = new Listening(out);
        try (Breakers breakers = Breakers.settings().surroundings(surroundings).build()) {
            listening.listenTo(breakers);
            for (int call = 1; call <= 8; call++) {
                callAndForget(breakers, "files", false);
                callAndForget(breakers, "jira", true);
            }
            listening.counters().forEach((name, sum) -> out.println(name + " = " + sum));
            HealthSummary health = breakers.health();
            out.println(health.closedBreakers() + " of " + health.totalBreakers() + " breakers closed, unhealthy: "
                    + health.unhealthyBreakers());
        }
    }

    @SuppressWarnings("EmptyCatch") // the listener hears of it by itself
    private static void callAndForget(Breakers breakers, String name, boolean broken) {
        try {
            breakers.breaker(name).call(() -> answer(broken));
        } catch (Exception thrown) {
            // What a caller would do with it is not shown here.
        }
    }

    private static String answer(boolean broken) throws IOException {
        if (broken) {
            throw new IOException("connection refused");
        }
        return "fine";
    }
}
