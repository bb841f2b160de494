package dev.fusebox.gateway.mcp;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Names that only the gateway may write into `_meta`. A server that writes them speaks in our name, so they are taken
/// out.
final class OwnKeys {
    private static final String PREFIX = "fusebox/";

    private OwnKeys() {}

    /// The object without our names; null if it has none of them and can stay as it is.
    static @Nullable String removed(JsonView meta) {
        List<String> ours = new ArrayList<>();
        JsonWriter rest = new JsonWriter().beginObject();
        meta.forEachMember((name, value) -> {
            if (name.startsWith(PREFIX)) {
                ours.add(name);
            } else {
                rest.name(name).raw(value.json());
            }
        });
        return ours.isEmpty() ? null : rest.endObject().toString();
    }
}
