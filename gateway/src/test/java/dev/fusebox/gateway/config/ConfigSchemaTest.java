package dev.fusebox.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The schema says what the table says.
class ConfigSchemaTest {
    private static final JsonView SCHEMA = JsonView.of(ConfigSchema.json());

    private static JsonView place(Place place) {
        return place == Place.FILE
                ? SCHEMA
                : Objects.requireNonNull(SCHEMA.path("$defs", place.label()), place.label());
    }

    @Test
    void every_place_has_exactly_its_keys_and_what_it_passes_over() {
        for (Place place : Place.ALL) {
            List<String> names = new ArrayList<>();
            Objects.requireNonNull(place(place).member("properties")).forEachMember((name, key) -> names.add(name));
            List<String> expected =
                    new ArrayList<>(place.keys().stream().map(Key::name).toList());
            place.foreign().stream()
                    .filter(foreign -> foreign.verdict() == Foreign.Verdict.ACCEPTED)
                    .forEach(foreign -> expected.add(foreign.name()));

            assertThat(names).as(place.label()).isEqualTo(expected).doesNotHaveDuplicates();
            assertThat(place(place).member("additionalProperties")).hasToString("false");
        }
    }

    @Test
    void every_key_has_its_meaning_and_its_usual_value() {
        for (Place place : Place.ALL) {
            for (Key<?> key : place.keys()) {
                JsonView described = Objects.requireNonNull(place(place).path("properties", key.name()));

                assertThat(described.string("description"))
                        .isEqualTo(key.meaning())
                        .endsWith(".");
                assertThat(String.valueOf(described.member("default")))
                        .isEqualTo(key.preset().isEmpty() ? "null" : key.preset());
            }
        }
    }

    @Test
    void kinds_say_what_they_take() {
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
