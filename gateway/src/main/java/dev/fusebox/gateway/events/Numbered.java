package dev.fusebox.gateway.events;

import dev.fusebox.protocol.JsonWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// An event in its place among all others. Immutable.
///
/// @param number grows by one with each event, and is larger than those of a gateway that was started before
/// @param at by the clock on the wall
public record Numbered(long number, Instant at, Event event) {
    /// As it is told outside.
    public String json() {
        JsonWriter json = new JsonWriter().beginObject().name("id").number(number);
        json.name("type").string(event.type());
        json.name("timestamp").string(at.truncatedTo(ChronoUnit.MILLIS).toString());
        if (event.server() != null) {
            json.name("server").string(event.server());
        }
        event.describe(json);
        return json.endObject().toString();
    }
}
