package dev.fusebox.gateway.session;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Rewriting of server responses for the client. Pure functions, thread-safe; nothing blocks.
///
/// Keys in `_meta` that begin with `fusebox/` are reserved for the gateway. A server's keys with that prefix are
/// removed; everything else except the id stays byte for byte.
public final class ResponseRelay {
    private static final String RESERVED = "fusebox/";

    private ResponseRelay() {}

    /// The response with the client's request id.
    public static byte[] under(RequestId id, Message.Answer answer) {
        JsonView frame = answer.frame();
        Splice splice = Splice.of(frame).replace(frame.member("id"), id.json());
        if (!answer.isOurs()) {
            clean(answer, splice);
        }
        return splice.bytes();
    }

    /// A server's result with a key of the gateway in its `_meta`, in place of any reserved keys of the server. An
    /// error is unchanged.
    ///
    /// @param name begins with `fusebox/`
    /// @param value as JSON
    public static Message.Answer with(Message.Answer answer, String name, String value) {
        Message.Answer clean = theirs(answer);
        JsonView result = clean.result();
        if (result == null || !result.isObject()) {
            return clean;
        }
        JsonView meta = result.member("_meta");
        String ours = JsonWriter.quoted(name) + ":" + value;
        Splice splice = Splice.of(clean.frame());
        byte[] frame = meta != null && meta.isObject()
                ? splice.insert(meta, ours).bytes()
                : splice.insert(result, "\"_meta\":{" + ours + "}").bytes();
        return Message.Answer.of(frame).asOurs();
    }

    /// The answer as one that no cache may keep for other clients. One without a cache scope is unchanged.
    public static Message.Answer withPrivateScope(Message.Answer answer) {
        JsonView scope = answer.frame().path("result", "cacheScope");
        return scope == null || "private".equals(scope.string())
                ? answer
                : answer.withFrame(
                        Splice.of(answer.frame()).replace(scope, "\"private\"").bytes());
    }

    /// Whether it is a result, and not one that asks the client for more.
    public static boolean isFinal(Message.Answer answer) {
        JsonView result = answer.result();
        return result != null && !"input_required".equals(result.string("resultType"));
    }

    /// The response without reserved keys of the server. A response that is known to have none is unchanged.
    public static Message.Answer theirs(Message.Answer answer) {
        if (answer.isOurs()) {
            return answer;
        }
        Splice splice = Splice.of(answer.frame());
        return clean(answer, splice) ? Message.Answer.of(splice.bytes()) : answer;
    }

    /// Removes the server's reserved keys from the answer that the state of a task contains.
    public static void cleanTask(JsonView state, Splice splice) {
        clean(state.member("result"), "_meta", splice);
        clean(state.member("error"), "data", splice);
    }

    /// Removes reserved keys where clients read them: in `_meta` of a result and in `data` of an error. Duplicate
    /// members are all cleaned, because many parsers take the last one. False if there were none.
    private static boolean clean(Message.Answer answer, Splice splice) {
        JsonView result = answer.result();
        return result == null ? clean(answer.error(), "data", splice) : clean(result, "_meta", splice);
    }

    private static boolean clean(@Nullable JsonView outer, String place, Splice splice) {
        AtomicBoolean found = new AtomicBoolean();
        if (outer != null) {
            outer.forEachMember((name, value) -> {
                String cleaned = name.equals(place) && value.isObject() ? cleaned(value) : null;
                if (cleaned != null) {
                    splice.replace(value, cleaned);
                    found.setPlain(true);
                }
            });
        }
        return found.getPlain();
    }

    /// The object without reserved keys; null if it has none and can stay unchanged.
    private static @Nullable String cleaned(JsonView meta) {
        List<String> removed = new ArrayList<>();
        JsonWriter rest = new JsonWriter().beginObject();
        meta.forEachMember((name, value) -> {
            if (name.startsWith(RESERVED)) {
                removed.add(name);
            } else {
                rest.name(name).raw(value);
            }
        });
        return removed.isEmpty() ? null : rest.endObject().toString();
    }
}
