package dev.fusebox.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HiddenCharactersTest {
    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00, 0x07, 0x0D, 0x1B, 0x7F, 0x9B, 0xAD, 0x061C, 0x200B, 0x200D, 0x200F, 0x2028, 0x202E, 0x2060,
                0x2066, 0x2069, 0xFEFF, 0xFFF9, 0xE0001, 0xE0041, 0xE0100, 0xFE05, 0x3164, 0xD800
            })
    void hidden_character_is_removed_from_text_and_from_json_in_either_notation(int hidden) {
        String text = "a" + Character.toString(hidden) + "b";
        assertThat(HiddenCharacters.hasHidden(text)).isTrue();
        assertThat(HiddenCharacters.of(text)).isEqualTo("ab");
        StringBuilder escaped = new StringBuilder("{\"k\":\"a");
        for (char each : Character.toChars(hidden)) {
            escaped.append(String.format("\\u%04x", (int) each));
        }
        assertThat(HiddenCharacters.json(JsonView.of(escaped + "b\"}"))).isEqualTo("{\"k\":\"ab\"}");
        if (hidden >= 0x7F && hidden != 0xD800) {
            JsonView raw = JsonView.of("{\"k" + Character.toString(hidden) + "\": \"" + text + "\"}");
            assertThat(HiddenCharacters.hasHidden(raw)).isTrue();
            assertThat(HiddenCharacters.json(raw)).isEqualTo("{\"k\": \"ab\"}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "zwei\nZeilen\tund Tab", "日本語", "ελληνικά", "עברית", "❤\uFE0F 😀", "\\u202e"})
    void visible_text_is_unchanged(String text) {
        assertThat(HiddenCharacters.of(text)).isSameAs(text);
        String json = "{ \"a\" : [" + JsonWriter.quoted(text) + ",\n 1.50, \"\\u00e9\\\\u202e\\n\" ] }";
        assertThat(HiddenCharacters.json(JsonView.of(json))).isEqualTo(json);
        assertThat(HiddenCharacters.hasHidden(JsonView.of(json))).isFalse();
    }

    @Test
    void line_contains_no_line_feeds() {
        assertThat(HiddenCharacters.line("\u001b[31mone\r\ntwo\u001b[0m ")).isEqualTo("[31mone two[0m");
    }
}
