package dev.fusebox.gateway.served;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answers of a server on their way to the client. Pure functions, thread-safe; nothing blocks.
///
/// Names in `_meta` that begin with `fusebox/` are ours. A server that writes them speaks in our name, so they are
/// taken out; everything else but the id stays byte for byte.
public final class Answers {
    private static final String OURS = "fusebox/";

    private Answers() {}

    /// The answer under the id that the client gave.
    public static byte[] under(RequestId id, Message.Answer answer) {
        JsonView frame = answer.frame();
        Splice splice = Splice.of(frame).replace(frame.member("id"), id.json());
        JsonView result = answer.result();
        JsonView ours = result == null ? frame.path("error", "data") : result.member("_meta");
        boolean isTheirs = !answer.isOurs() && ours != null && ours.isObject();
        String cleaned = ours == null || !isTheirs ? null : cleaned(ours);
        return cleaned == null ? splice.bytes() : splice.replace(ours, cleaned).bytes();
    }

    /// The object without our names; null if it has none of them and can stay as it is.
    private static @Nullable String cleaned(JsonView meta) {
        List<String> removed = new ArrayList<>();
        JsonWriter rest = new JsonWriter().beginObject();
        meta.forEachMember((name, value) -> {
            if (name.startsWith(OURS)) {
                removed.add(name);
            } else {
                rest.name(name).raw(value);
            }
        });
        return removed.isEmpty() ? null : rest.endObject().toString();
    }
}
