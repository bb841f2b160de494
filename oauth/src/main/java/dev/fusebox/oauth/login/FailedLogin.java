package dev.fusebox.oauth.login;

import dev.fusebox.client.ErrorId;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Why the last login to a server failed. Immutable.
///
/// @param message what was tried, what was found, what to do; without secrets
public record FailedLogin(ErrorId id, String message, Instant at) {
    byte[] json() {
        return new JsonWriter()
                .beginObject()
                .name("id")
                .string(id.id())
                .name("message")
                .string(message)
                .name("atMs")
                .number(at.toEpochMilli())
                .endObject()
                .bytes();
    }

    /// Null if the content is damaged, or was written by another version.
    static @Nullable FailedLogin read(byte[] content) {
        try {
            JsonView json = JsonView.parse(content);
            String id = json.string("id");
            String message = json.string("message");
            JsonView at = json.member("atMs");
            ErrorId known = Stream.of(ErrorId.values())
                    .filter(each -> each.id().equals(id))
                    .findFirst()
                    .orElse(null);
            return known == null || message == null || at == null
                    ? null
                    : new FailedLogin(known, message, Instant.ofEpochMilli(Long.parseLong(at.json())));
        } catch (JsonSyntaxError | IllegalArgumentException damaged) {
            return null;
        }
    }
}
