package dev.fusebox.config;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;

/// The JSON Schema of the configuration file (draft 2020-12), written from the table of keys that reads it. Pure
/// functions; thread-safe.
public final class ConfigSchema {
    private ConfigSchema() {}

    /// The whole schema.
    public static String json() {
        JsonWriter schema = new JsonWriter().beginObject();
        schema.name("$schema").string("https://json-schema.org/draft/2020-12/schema");
        schema.name("title").string("Configuration of Fusebox");
        describe(FileSection.SECTION, schema);
        oneOf(List.of(FileSection.MCP_SERVERS, FileSection.SERVERS), schema);
        schema.name("$defs").beginObject();
        for (SectionType sectionType : FileSection.SECTIONS) {
            if (sectionType != FileSection.SECTION) {
                schema.name(sectionType.label()).beginObject();
                describe(sectionType, schema);
                if (sectionType == ServerSection.SECTION) {
                    oneOf(List.of(ServerSection.COMMAND, ServerSection.URL, ServerSection.REPLICAS), schema);
                }
                schema.endObject();
            }
        }
        return schema.endObject().endObject().toString();
    }

    private static void describe(SectionType sectionType, JsonWriter schema) {
        schema.name("type").string("object").name("properties").beginObject();
        for (ConfigKey<?> key : sectionType.keys()) {
            schema.name(key.name()).beginObject();
            describe(key, schema);
            schema.endObject();
        }
        for (ForeignKey foreignKey : sectionType.foreignKeys()) {
            if (foreignKey.treatment() == ForeignKey.Treatment.ACCEPTED) {
                schema.name(foreignKey.name()).beginObject();
                schema.name("deprecated").bool(true).name("description").string("It " + foreignKey.words() + ".");
                schema.endObject();
            }
        }
        schema.endObject().name("additionalProperties").bool(false);
    }

    private static void describe(ConfigKey<?> key, JsonWriter schema) {
        if (key.isNullable()) {
            schema.name("anyOf").beginArray().beginObject();
            key.valueType().describe(schema);
            schema.endObject()
                    .beginObject()
                    .name("type")
                    .string("null")
                    .endObject()
                    .endArray();
        } else {
            key.valueType().describe(schema);
        }
        schema.name("description").string(key.meaning());
        if (!key.preset().isEmpty()) {
            schema.name("default").raw(JsonView.of(key.preset()));
        }
    }

    private static void oneOf(List<ConfigKey<?>> keys, JsonWriter schema) {
        schema.name("oneOf").beginArray();
        for (ConfigKey<?> key : keys) {
            schema.beginObject().name("required").beginArray().string(key.name());
            schema.endArray().endObject();
        }
        schema.endArray();
    }
}
