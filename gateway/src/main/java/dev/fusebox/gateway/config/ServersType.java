package dev.fusebox.gateway.config;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The servers, each under its name. What stands in one of them is read by [ServerReader], which lets the others
/// live. Immutable.
record ServersType() implements ValueType<Map<String, JsonMember>> {
    @Override
    public @Nullable Map<String, JsonMember> read(JsonView value, SourceLocation location) {
        return JsonMember.of(value, location);
    }

    @Override
    public String words() {
        return "object: names with servers";
    }

    @Override
    public void describe(JsonWriter schema) {
        schema.name("type").string("object").name("additionalProperties").beginObject();
        schema.name("$ref").string("#/$defs/" + SectionType.SERVER.label());
        schema.endObject();
    }
}
