package dev.fusebox.config;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;

/// An object whose keys are in the table. Immutable.
record SectionValueType(SectionType sectionType) implements ValueType<ConfigSection> {
    @Override
    public ConfigSection read(JsonView value, SourceLocation location) {
        return ConfigSection.read(sectionType, value, location);
    }

    @Override
    public String words() {
        return "object";
    }

    @Override
    public void describe(JsonWriter schema) {
        schema.name("$ref").string("#/$defs/" + sectionType.label());
    }
}
