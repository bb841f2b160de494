package dev.fusebox.gateway.result;

import dev.fusebox.gateway.session.ResultFormat;
import dev.fusebox.protocol.JsonWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The note in a result that was cut, and the message of one that was refused. Immutable; nothing blocks.
///
/// @param source of the result
/// @param rules that hold for all servers
record ResultNote(ResultSource source, ResultRules rules) {
    /// A longer time is named in minutes.
    private static final Duration TWO_MINUTES = Duration.ofMinutes(2);

    /// Text that a client can read later. Immutable.
    ///
    /// @param from the number of the first part that it does not have
    record Rest(String id, DividedText text, int from) {
        CutTextAddress first() {
            return new CutTextAddress(id, from);
        }

        private String addresses() {
            int last = text.parts();
            return from == last
                    ? "as a resource: " + first()
                    : "as resources, in parts " + from + " to " + last + ": " + first() + " to " + first().at(last);
        }
    }

    /// Writes the note into the list of the result, and a link if the client understands it.
    ///
    /// @param rest null if it was not kept
    /// @param shown the bytes of text that the client gets
    void write(JsonWriter list, ResultContent content, @Nullable Rest rest, long shown) {
        String text = "[cut by the gateway: the first " + shown + " of "
                + content.texts().bytes() + " bytes are shown; " + limit(content)
                + (rest == null ? ". The rest was not kept. " : ". ") + remedy(rest, "The rest") + "]";
        list.beginObject();
        if (content.isOfTool()) {
            list.name("type").string("text").name("text").string(text).endObject();
        } else {
            list.name("uri").string(rest == null ? uri(content) : rest.first().toString());
            list.name("mimeType").string("text/plain").name("text").string(text).endObject();
        }
        if (content.isOfTool() && rest != null && source.form() != ResultFormat.TEXT_ONLY) {
            link(list, rest);
        }
    }

    private static void link(JsonWriter list, Rest rest) {
        list.beginObject().name("type").string("resource_link");
        list.name("uri").string(rest.first().toString());
        list.name("name").string("part " + rest.from() + " of " + rest.text().parts());
        list.name("mimeType").string("text/plain");
        list.name("size").number(TextBudget.of(rest.text().part(rest.from())).bytes());
        list.endObject();
    }

    private static String uri(ResultContent content) {
        String uri = content.items().getFirst().element().string("uri");
        return uri == null ? "" : uri;
    }

    /// For `_meta`, as JSON.
    String meta(ResultContent content, @Nullable Rest rest, long shown) {
        JsonWriter meta = new JsonWriter()
                .beginObject()
                .name("bytes")
                .number(content.texts().bytes());
        meta.name("shownBytes").number(shown);
        if (rest != null) {
            meta.name("part")
                    .number(rest.from())
                    .name("parts")
                    .number(rest.text().parts());
            meta.name("uri").string(rest.first().toString());
            meta.name("keepMs").number(rules.keep().toMillis());
        }
        return meta.endObject().toString();
    }

    /// The message of a result that is refused.
    ///
    /// @param tooLong what is too long, with its size
    String refusal(String tooLong, ResultContent content, @Nullable Rest rest) {
        String what = content.isOfTool() ? "the result of " : "a resource of ";
        String happened = content.isOfTool() ? "; the call was executed" : "";
        return what + source.server() + " has " + tooLong + ", which is too long: " + limit(content) + happened + ". "
                + remedy(rest, "Its JSON text");
    }

    /// The limit that was exceeded: the shorter one if both were.
    private String limit(ResultContent content) {
        boolean isOfServer = source.maxResultBytes() <= rules.maxTokenBytes() && hasTooMany(content);
        return isOfServer
                ? "maxResultBytes of " + source.server() + " is " + source.maxResultBytes()
                : "results.maxTokens is " + rules.maxTokens() + ", about " + rules.maxTokenBytes() + " bytes";
    }

    private boolean hasTooMany(ResultContent content) {
        return Math.max(content.texts().bytes(), Math.max(content.structuredLength(), content.binary()))
                > source.maxResultBytes();
    }

    private String remedy(@Nullable Rest rest, String what) {
        String less = "request less data"
                + (source.hasScripts() ? ", or process the whole result in a script (mcp_execute)." : ".");
        return rest == null
                ? "Instead, " + less
                : what + " can be read for " + time(rules.keep()) + " " + rest.addresses() + ". Alternatively, " + less;
    }

    static String time(Duration keep) {
        return keep.compareTo(TWO_MINUTES) < 0 ? keep.toSeconds() + " s" : keep.toMinutes() + " min";
    }

    /// A part as the result of `resources/read`.
    ///
    /// @param left how long it can still be read
    static String part(CutTextAddress address, DividedText text, ResultFormat form, Duration left) {
        JsonWriter result = new JsonWriter().beginObject().name("contents").beginArray();
        result.beginObject().name("uri").string(address.toString());
        result.name("mimeType").string("text/plain");
        result.name("text").string(text.part(address.part())).endObject().endArray();
        if (!form.inSession()) {
            result.name("resultType").string("complete");
            result.name("ttlMs").number(left.toMillis()).name("cacheScope").string("private");
        }
        result.name("_meta").beginObject().name("fusebox/part").beginObject();
        result.name("part").number(address.part()).name("parts").number(text.parts());
        if (address.part() < text.parts()) {
            result.name("next").string(address.at(address.part() + 1).toString());
        }
        return result.endObject().endObject().endObject().toString();
    }
}
