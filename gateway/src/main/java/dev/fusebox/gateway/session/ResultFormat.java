package dev.fusebox.gateway.session;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonWriter;
import org.jspecify.annotations.Nullable;

/// The result format that a client understands for gateway tools.
public enum ResultFormat {
    /// Modern era, in which a result states that it is complete.
    STATELESS,
    /// Legacy session.
    SESSION,
    /// Legacy session with a revision before 2025-06-18, whose clients ignore `structuredContent`.
    TEXT_ONLY;

    /// The format for a client of several servers.
    public static ResultFormat of(ClientMetadata client) {
        return client.isLegacy() ? of(client.clientSession()) : STATELESS;
    }

    /// The format for a session.
    public static ResultFormat of(@Nullable ClientSession session) {
        return session == null || session.readsStructuredContent() ? SESSION : TEXT_ONLY;
    }

    public boolean inSession() {
        return this != STATELESS;
    }

    /// The result of a failed call: a sentence for the model, an object for programs.
    ///
    /// @param sentence what failed, whether the call was executed, and what to do
    /// @param object the structured content as JSON
    /// @param error the error in `_meta` as JSON
    public String failure(String sentence, String object, String error) {
        JsonWriter result = new JsonWriter().beginObject().name("content").beginArray();
        text(HiddenCharacters.of(sentence), result);
        if (this == TEXT_ONLY) {
            text(object, result);
        }
        result.endArray().name("structuredContent").raw(object).name("isError").bool(true);
        if (!inSession()) {
            result.name("resultType").string("complete");
        }
        result.name("_meta").beginObject().name("fusebox/error").raw(error).endObject();
        return result.endObject().toString();
    }

    private static void text(String text, JsonWriter content) {
        content.beginObject()
                .name("type")
                .string("text")
                .name("text")
                .string(text)
                .endObject();
    }
}
