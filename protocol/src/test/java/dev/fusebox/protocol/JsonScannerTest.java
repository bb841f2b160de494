package dev.fusebox.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/// Comparison with Jackson: the scanner accepts exactly what Jackson accepts, within the same limits, and only
/// valid UTF-8. (Jackson gets text instead of bytes, because it guesses the encoding of bytes.)
///
/// `-Djson.texts=N` tests N texts instead of 200,000; `-Djson.seed=N` sets the first seed.
class JsonScannerTest {
    private static final int TEXTS = Integer.getInteger("json.texts", 200_000);
    private static final long SEED = Long.getLong("json.seed", 20_261_121);
    private static final JsonFactory JACKSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(JsonView.MAX_DEPTH)
                    .maxNumberLength(1_000)
                    .build())
            .build();

    @Test
    void scanner_accepts_and_rejects_the_same_texts_as_jackson() {
        RandomJson json = new RandomJson(new SplittableRandom(SEED));
        int accepted = 0;
        for (int i = 0; i < TEXTS; i++) {
            byte[] text = i % 4 == 0 ? json.text() : json.mutated(json.text());
            boolean expected = isUtf8(text) && jacksonAccepts(text);
            assertThat(accepts(text))
                    .as("text %d of seed %d: %s", i, SEED, new String(text, UTF_8))
                    .isEqualTo(expected);
            accepted += expected ? 1 : 0;
        }
        assertThat(accepted).isBetween(TEXTS / 5, TEXTS * 4 / 5);
    }

    private static boolean accepts(byte[] text) {
        try {
            JsonView.parse(text);
            return true;
        } catch (JsonSyntaxError fault) {
            return false;
        }
    }

    private static boolean jacksonAccepts(byte[] text) {
        try (JsonParser parser = JACKSON.createParser(ObjectReadContext.empty(), new String(text, UTF_8))) {
            int roots = 0;
            int depth = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                depth -= token.isStructEnd() ? 1 : 0;
                roots += depth == 0 && !token.isStructEnd() ? 1 : 0;
                depth += token.isStructStart() ? 1 : 0;
                parser.getString();
            }
            return roots == 1;
        } catch (JacksonException refused) {
            return false;
        }
    }

    private static boolean isUtf8(byte[] text) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
            return true;
        } catch (CharacterCodingException invalid) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1,",
                "[1 2]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "[,]",
                "nul",
                "truefalse",
                "01",
                "-",
                "1.",
                ".5",
                "1e",
                "+1",
                "NaN",
                "'a'",
                "\"a",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\t\"",
                "{} {}",
                "//",
                "\ufeff{}"
            })
    void invalid_json_is_rejected(String text) {
        assertThatThrownBy(() -> JsonView.parse(text.getBytes(UTF_8))).isInstanceOf(JsonSyntaxError.class);
    }

    @Test
    void nesting_beyond_the_limit_is_rejected_without_stack_overflow() throws JsonSyntaxError {
        JsonView.parse(("[".repeat(128) + "]".repeat(128)).getBytes(UTF_8));

        assertThatThrownBy(() -> JsonView.parse("[".repeat(100_000).getBytes(UTF_8)))
                .hasMessage("nested deeper than 128 at byte 128");
        assertThatThrownBy(() -> JsonView.parse("{\"a\":".repeat(129).getBytes(UTF_8)))
                .hasMessageContaining("nested deeper than 128");
    }

    @Test
    void number_of_a_million_digits_is_rejected_and_one_beyond_double_range_is_accepted() throws JsonSyntaxError {
        assertThat(JsonView.parse("9223372036854775808".getBytes(UTF_8)).json()).isEqualTo("9223372036854775808");
        assertThatThrownBy(() -> JsonView.parse("1".repeat(1_000_000).getBytes(UTF_8)))
                .hasMessage("a number longer than 1000 characters at byte 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c0af",
                "c1bf",
                "e08080",
                "eda080",
                "edbfbf",
                "f08080af",
                "f4908080",
                "f5808080",
                "80",
                "c3",
                "e282"
            })
    void invalid_utf_8_is_rejected(String hex) {
        byte[] bytes = java.util.HexFormat.of().parseHex("22" + hex + "22");

        assertThatThrownBy(() -> JsonView.parse(bytes)).hasMessageContaining("invalid UTF-8");
    }
}
