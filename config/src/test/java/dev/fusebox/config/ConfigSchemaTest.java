package dev.fusebox.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The schema says what the table says.
class ConfigSchemaTest {
    private static final JsonView SCHEMA = JsonView.of(ConfigSchema.json());

    private static JsonView place(SectionType sectionType) {
        return sectionType == FileSection.SECTION
                ? SCHEMA
                : Objects.requireNonNull(SCHEMA.path("$defs", sectionType.label()), sectionType.label());
    }

    @Test
    void every_place_has_exactly_its_keys_and_what_it_passes_over() {
        for (SectionType sectionType : FileSection.SECTIONS) {
            List<String> names = new ArrayList<>();
            Objects.requireNonNull(place(sectionType).member("properties"))
                    .forEachMember((name, key) -> names.add(name));
            List<String> expected = new ArrayList<>(
                    sectionType.keys().stream().map(ConfigKey::name).toList());
            sectionType.foreignKeys().stream()
                    .filter(foreignKey -> foreignKey.treatment() == ForeignKey.Treatment.ACCEPTED)
                    .forEach(foreignKey -> expected.add(foreignKey.name()));

            assertThat(names).as(sectionType.label()).isEqualTo(expected).doesNotHaveDuplicates();
            assertThat(place(sectionType).member("additionalProperties")).hasToString("false");
        }
    }

    @Test
    void every_key_has_its_meaning_and_its_usual_value() {
        for (SectionType sectionType : FileSection.SECTIONS) {
            for (ConfigKey<?> key : sectionType.keys()) {
                JsonView described = Objects.requireNonNull(place(sectionType).path("properties", key.name()));

                assertThat(described.string("description"))
                        .isEqualTo(key.meaning())
                        .endsWith(".");
                assertThat(String.valueOf(described.member("default")))
                        .isEqualTo(key.preset().isEmpty() ? "null" : key.preset());
            }
        }
    }

    @Test
    void value_types_describe_their_values() {
        assertThat(SCHEMA.path("$defs", "http", "properties", "port", "maximum"))
                .hasToString("65535");
        assertThat(SCHEMA.path("$defs", "server", "properties", "era", "enum"))
                .hasToString("[\"legacy\",\"auto\",\"modern\"]");
        assertThat(SCHEMA.path("properties", "breaker", "$ref")).hasToString("\"#/$defs/breaker\"");
        assertThat(SCHEMA.path("properties", "servers", "additionalProperties", "$ref"))
                .hasToString("\"#/$defs/server\"");
        assertThat(SCHEMA.path("$defs", "server", "oneOf"))
                .hasToString("[{\"required\":[\"command\"]},{\"required\":[\"url\"]},{\"required\":[\"replicas\"]}]");
    }
}
