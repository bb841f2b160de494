package dev.fusebox.gateway.observe;

import dev.fusebox.breaker.BreakerEvent.StateChange;
import dev.fusebox.protocol.JsonWriter;
import java.math.BigDecimal;

/// The event of a breaker changing its state. Immutable.
public record BreakerStateChanged(StateChange change) implements Event {
    /// The public event type.
    public static final String TYPE = "circuit.state_change";

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public String server() {
        return change.name().server();
    }

    @Override
    public void describe(JsonWriter into) {
        if (change.name().tool() != null) {
            into.name("tool").string(change.name().tool());
        }
        into.name("from").string(change.from().toString());
        into.name("to").string(change.to().toString());
        into.name("reason").string(change.reason().toString());
        into.name("failureCount").number(change.failureCount());
        into.name("failureRate").raw(decimal(change.failureRate()));
        into.name("totalCalls").number(change.totalCalls());
        into.name("retryAt")
                .string(change.retryAt() == null ? null : change.retryAt().toString());
    }

    /// JSON has no infinity and no NaN.
    private static String decimal(double value) {
        return Double.isFinite(value) ? BigDecimal.valueOf(value).toPlainString() : "0";
    }
}
