package dev.fusebox.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of arguments in headers: what one side writes, the other accepts.
class ParameterHeadersTest {
    private static final String SCHEMA = "{\"properties\":{"
            + "\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},"
            + "\"limit\":{\"type\":\"integer\",\"x-mcp-header\":\"Limit\"},"
            + "\"options\":{\"type\":\"object\",\"properties\":{"
            + "\"dry\":{\"type\":\"boolean\",\"x-mcp-header\":\"Dry-Run\"}}}}}";

    private static List<String> written(ParameterHeaders headers, JsonView arguments) {
        List<String> fields = new ArrayList<>();
        headers.addTo(fields, arguments);
        return fields;
    }

    private static List<String> values(List<String> fields, String name) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < fields.size(); i += 2) {
            if (fields.get(i).equals(name)) {
                values.add(fields.get(i + 1));
            }
        }
        return values;
    }

    @Test
    void written_headers_match_the_arguments() throws ParameterHeaders.Invalid {
        ParameterHeaders headers = ParameterHeaders.of(JsonView.of(SCHEMA));
        for (String arguments : List.of(
                "{}",
                "{\"region\":\"here\",\"limit\":3,\"options\":{\"dry\":true}}",
                "{\"region\":\" Z\u00fcrich \",\"limit\":3.0}",
                "{\"region\":\"=?base64?aGVyZQ==?=\",\"limit\":1e2}",
                "{\"region\":null,\"limit\":-0}")) {
            JsonView view = JsonView.of(arguments);
            List<String> fields = written(headers, view);

            assertThat(fields).allMatch(HeaderValueEncoding::isFieldValue);
            assertThat(headers.mismatch(name -> values(fields, name), view))
                    .as(arguments)
                    .isNull();
        }
        assertThat(written(headers, JsonView.of("{\"region\":\"here\",\"options\":{\"dry\":true}}")))
                .containsExactly("Mcp-Param-Region", "here", "Mcp-Param-Dry-Run", "true");
    }

    /// For arguments of any type, even if the schema says another.
    @Test
    void written_headers_are_accepted() throws ParameterHeaders.Invalid {
        ParameterHeaders headers = ParameterHeaders.of(JsonView.of(SCHEMA));
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        RandomJson json = new RandomJson(random);
        for (int i = 0; i < 20_000; i++) {
            String number = random.nextInt(100) + (random.nextBoolean() ? "." + random.nextInt(100) : "");
            String arguments = "{\"region\":" + new String(json.text(), UTF_8)
                    + ",\"limit\":" + (random.nextBoolean() ? "" : "-") + number + "e" + (random.nextInt(2_400) - 1_200)
                    + ",\"options\":{\"dry\":" + new String(json.text(), UTF_8) + "}}";
            JsonView view = JsonView.of(arguments);
            List<String> fields = written(headers, view);

            assertThat(fields).as("seed %d: %s", seed, arguments).allMatch(HeaderValueEncoding::isFieldValue);
            assertThat(headers.mismatch(name -> values(fields, name), view))
                    .as("seed %d: %s", seed, arguments)
                    .isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[1]"})
    void header_of_an_inexpressible_argument_is_rejected(String value) throws ParameterHeaders.Invalid {
        ParameterHeaders headers = ParameterHeaders.of(JsonView.of(SCHEMA));
        JsonView arguments = JsonView.of("{\"region\":" + value + "}");

        assertThat(headers.mismatch(name -> List.of(), arguments)).isNull();
        assertThat(headers.mismatch(name -> name.endsWith("Region") ? List.of(value) : List.of(), arguments))
                .isEqualTo("Mcp-Param-Region is sent for an argument that headers cannot express");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | is missing",
                "there | does not match the body",
                "here,here | is sent more than once",
                "'=?base64?aGVyZQ?=' | does not match the body"
            })
    void mismatching_header_is_named(String found, String problem) throws ParameterHeaders.Invalid {
        ParameterHeaders headers = ParameterHeaders.of(JsonView.of(SCHEMA));
        List<String> values = found.isEmpty() ? List.of() : List.of(found.split(",", -1));

        assertThat(headers.mismatch(
                        name -> name.endsWith("Region") ? values : List.of(), JsonView.of("{\"region\":\"here\"}")))
                .startsWith("Mcp-Param-Region " + problem);
        assertThat(headers.mismatch(name -> List.of("x"), null))
                .isEqualTo("Mcp-Param-Region is sent without its argument");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"no name\"}}}",
                "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"X\\r\\nY\"}}}",
                "{\"properties\":{\"a\":{\"type\":\"object\",\"x-mcp-header\":\"X\"}}}",
                "{\"x-mcp-header\":\"X\",\"type\":\"string\"}",
                "{\"anyOf\":[{\"type\":\"string\",\"x-mcp-header\":\"X\"}]}"
            })
    void tool_with_an_invalid_mark_is_reported(String schema) {
        assertThatThrownBy(() -> ParameterHeaders.of(JsonView.of(schema))).isInstanceOf(ParameterHeaders.Invalid.class);
        ToolHeaders tools = new ToolHeaders();
        JsonView tool = JsonView.of("{\"name\":\"t\",\"inputSchema\":" + schema + "}");

        assertThat(tools.concerns(tool)).isTrue();
        assertThat(tools.learn(tool)).contains("x-mcp-header");
        assertThat(tools.of(JsonView.of("{\"name\":\"t\"}")).isEmpty()).isTrue();
    }

    @Test
    void mark_missing_in_a_later_list_is_removed() {
        ToolHeaders tools = new ToolHeaders();
        JsonView call = JsonView.of("{\"name\":\"t\"}");
        assertThat(tools.concerns(JsonView.of("[]"))).isFalse();
        assertThat(tools.learn(JsonView.of("{\"name\":\"t\",\"inputSchema\":" + SCHEMA + "}")))
                .isNull();
        assertThat(tools.of(call).isEmpty()).isFalse();

        assertThat(tools.concerns(JsonView.of("[]"))).isTrue();
        assertThat(tools.learn(JsonView.of("{\"name\":\"t\",\"inputSchema\":{}}")))
                .isNull();
        assertThat(tools.of(call).isEmpty()).isTrue();
    }

    @Test
    void known_tools_are_kept_when_the_limit_is_reached() {
        ToolHeaders tools = new ToolHeaders();
        for (int i = 0; i <= 10_000; i++) {
            tools.learn(JsonView.of("{\"name\":\"t" + i + "\",\"inputSchema\":" + SCHEMA + "}"));
        }
        assertThat(tools.of(JsonView.of("{\"name\":\"t10000\"}")).isEmpty()).isTrue();

        tools.learn(JsonView.of("{\"name\":\"t0\",\"inputSchema\":" + SCHEMA + "}"));
        assertThat(tools.of(JsonView.of("{\"name\":\"t0\"}")).isEmpty()).isFalse();
    }

    @Test
    void any_text_survives_encoding_and_decoding() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                int c = random.nextBoolean() ? random.nextInt(128) : random.nextInt(Character.MAX_CODE_POINT + 1);
                text.appendCodePoint(c >= 0xD800 && c <= 0xDFFF ? '?' : c);
            }
            String encoded = HeaderValueEncoding.encoded(text.toString());

            assertThat(HeaderValueEncoding.isFieldValue(encoded))
                    .as("seed %d", seed)
                    .isTrue();
            assertThat(HeaderValueEncoding.decoded(encoded)).as("seed %d", seed).isEqualTo(text.toString());
        }
    }
}
