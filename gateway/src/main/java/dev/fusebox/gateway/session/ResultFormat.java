package dev.fusebox.gateway.session;

import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonWriter;

/// How a client reads the result of a tool of the gateway's own.
public enum ResultFormat {
    /// Of the stateless era, in which a result says that it is complete.
    STATELESS,
    /// Of a session.
    SESSION,
    /// Of a session by a revision before 2025-06-18, which has no `structuredContent`.
    TEXT_ONLY;

    public boolean inSession() {
        return this != STATELESS;
    }

    /// The result of a call that failed: a model reads one sentence, a program an object.
    ///
    /// @param sentence what failed, whether the call ran, and what to do
    /// @param object JSON of it
    /// @param error JSON of what stands in `_meta`
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
