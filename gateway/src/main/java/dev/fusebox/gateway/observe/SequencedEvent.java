package dev.fusebox.gateway.observe;

import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonWriter;
import java.time.Instant;

/// An event with its sequence number and time. Immutable.
///
/// @param number grows by one with each event, and is larger than those of any gateway started earlier
/// @param millis the wall-clock time
public record SequencedEvent(long number, long millis, Event event) {
    /// The public JSON form.
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
