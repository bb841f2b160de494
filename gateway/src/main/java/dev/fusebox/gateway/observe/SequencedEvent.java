package dev.fusebox.gateway.observe;

import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonWriter;
import java.time.Instant;

/// An event in its place among all others. Immutable.
///
/// @param number grows by one with each event, and is larger than those of a gateway that was started before
/// @param millis when it happened, by the clock on the wall
public record SequencedEvent(long number, long millis, Event event) {
    /// As it is told outside.
    public String json() {
        JsonWriter json = new JsonWriter().beginObject().name("id").number(number);
        json.name("type").string(event.type());
        json.name("timestamp").string(Instant.ofEpochMilli(millis).toString());
        if (event.server() != null) {
            json.name("server").string(event.server());
        }
        event.describe(json);
        return HiddenCharacters.json(json.endObject().toString());
    }
}
