package dev.fusebox.simulation.lane;

import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Reached;
import java.util.EnumMap;
import java.util.Map;

/// Counts what came up in many runs: a rule that was never put to the test was not tested. For one thread.
final class Tally {
    private final Map<Item, Integer> counts = new EnumMap<>(Item.class);

    /// What can come up.
    enum Item {
        ANSWERED,
        NOT_SENT,
        REJECTED,
        UNKNOWN,
        TIMED_OUT,
        CANCELLED,
        OVERLOADED,
        REFUSED,
        REFUSED_BY_TOOL,
        REPEATED,
        TRIPPED,
        STARTED,
        LIVE_PING,
        DEAD_PING,
        LOST_BEFORE_PING
    }

    void add(Item item, long times) {
        counts.merge(item, (int) times, Integer::sum);
    }

    void add(Outcome outcome) {
        switch (outcome) {
            case Outcome.Answered answered -> add(Item.ANSWERED, 1);
            case Outcome.Failed(Fault fault) -> {
                add(reached(fault.reached()), 1);
                count(fault.code());
            }
        }
    }

    private static Item reached(Reached reached) {
        return switch (reached) {
            case NOT_SENT -> Item.NOT_SENT;
            case REJECTED -> Item.REJECTED;
            case UNKNOWN -> Item.UNKNOWN;
        };
    }

    private void count(FaultCode code) {
        Item item = Map.of(
                        FaultCode.TIMEOUT, Item.TIMED_OUT,
                        FaultCode.CANCELLED, Item.CANCELLED,
                        FaultCode.OVERLOADED, Item.OVERLOADED,
                        FaultCode.BREAKER_OPEN, Item.REFUSED,
                        FaultCode.TOOL_BREAKER_OPEN, Item.REFUSED_BY_TOOL)
                .get(code);
        if (item != null) {
            add(item, 1);
        }
    }

    Map<Item, Integer> counts() {
        return counts;
    }
}
