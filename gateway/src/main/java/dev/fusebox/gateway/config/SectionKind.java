package dev.fusebox.gateway.config;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;

/// An object whose keys are in the table. Immutable.
record SectionKind(Place place) implements Kind<Section> {
    @Override
    public Section read(JsonView value, Spot spot) {
        return Section.read(place, value, spot);
    }

    @Override
    public String words() {
        return "object";
    }

    @Override
    public void describe(JsonWriter schema) {
        schema.name("$ref").string("#/$defs/" + place.label());
    }
}
