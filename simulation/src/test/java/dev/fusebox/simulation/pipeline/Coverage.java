package dev.fusebox.simulation.pipeline;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import java.util.EnumMap;
import java.util.Map;

/// Counters of what occurred in many runs: a rule that never applied was not tested. For one thread.
final class Coverage {
    private final Map<Item, Integer> counts = new EnumMap<>(Item.class);

    /// The events to count.
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
            case Outcome.Failed(CallFailure failure) -> {
                add(reached(failure.delivery()), 1);
                count(failure.code());
            }
        }
    }

    private static Item reached(Delivery delivery) {
        return switch (delivery) {
            case NOT_SENT -> Item.NOT_SENT;
            case REJECTED -> Item.REJECTED;
            case UNKNOWN -> Item.UNKNOWN;
        };
    }

    private void count(ErrorCode code) {
        Item item = Map.of(
                        ErrorCode.TIMEOUT, Item.TIMED_OUT,
                        ErrorCode.CANCELLED, Item.CANCELLED,
                        ErrorCode.OVERLOADED, Item.OVERLOADED,
                        ErrorCode.BREAKER_OPEN, Item.REFUSED,
                        ErrorCode.TOOL_BREAKER_OPEN, Item.REFUSED_BY_TOOL)
                .get(code);
        if (item != null) {
            add(item, 1);
        }
    }

    Map<Item, Integer> counts() {
        return counts;
    }
}
