package dev.fusebox.gateway.observe;

import dev.fusebox.breaker.BreakerEvent.HalfOpenTest;
import dev.fusebox.protocol.JsonWriter;

/// The event of a breaker admitting a probe call. Immutable.
public record BreakerProbed(HalfOpenTest test) implements Event {
    /// The public event type.
    public static final String TYPE = "circuit.half_open_test";

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public String server() {
        return test.name().server();
    }

    @Override
    public void describe(JsonWriter into) {
        if (test.name().tool() != null) {
            into.name("tool").string(test.name().tool());
        }
        into.name("call").number(test.call()).name("maxCalls").number(test.maxCalls());
    }
}
