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

/// Arguments in headers: what one side writes the other accepts.
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
    void what_is_written_says_what_the_arguments_say() throws ParameterHeaders.Invalid {
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

    /// Whatever the arguments are, and whether or not they are of the type that the schema says.
    @Test
    void what_is_written_is_accepted() throws ParameterHeaders.Invalid {
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
    void what_no_header_can_say_must_not_stand_in_one(String value) throws ParameterHeaders.Invalid {
        ParameterHeaders headers = ParameterHeaders.of(JsonView.of(SCHEMA));
        JsonView arguments = JsonView.of("{\"region\":" + value + "}");

        assertThat(headers.mismatch(name -> List.of(), arguments)).isNull();
        assertThat(headers.mismatch(name -> name.endsWith("Region") ? List.of(value) : List.of(), arguments))
                .isEqualTo("Mcp-Param-Region stands for an argument that no header can say");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | is missing",
                "there | says something else",
                "here,here | stands more than once",
                "'=?base64?aGVyZQ?=' | says something else"
            })
    void what_says_something_else_is_named(String found, String problem) throws ParameterHeaders.Invalid {
        ParameterHeaders headers = ParameterHeaders.of(JsonView.of(SCHEMA));
        List<String> values = found.isEmpty() ? List.of() : List.of(found.split(",", -1));

        assertThat(headers.mismatch(
                        name -> name.endsWith("Region") ? values : List.of(), JsonView.of("{\"region\":\"here\"}")))
                .startsWith("Mcp-Param-Region " + problem);
        assertThat(headers.mismatch(name -> List.of("x"), null))
                .isEqualTo("Mcp-Param-Region stands for an argument that is not there");
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
    void a_tool_with_a_mark_that_cannot_be_followed_is_told_apart(String schema) {
        assertThatThrownBy(() -> ParameterHeaders.of(JsonView.of(schema))).isInstanceOf(ParameterHeaders.Invalid.class);
        ToolHeaders tools = new ToolHeaders();
        JsonView tool = JsonView.of("{\"name\":\"t\",\"inputSchema\":" + schema + "}");

        assertThat(tools.concerns(tool)).isTrue();
        assertThat(tools.learn(tool)).contains("x-mcp-header");
        assertThat(tools.of(JsonView.of("{\"name\":\"t\"}")).isEmpty()).isTrue();
    }

    @Test
    void what_a_later_list_takes_back_is_forgotten() {
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
    void when_no_more_can_be_known_what_is_known_is_kept() {
        ToolHeaders tools = new ToolHeaders();
        for (int i = 0; i <= 10_000; i++) {
            tools.learn(JsonView.of("{\"name\":\"t" + i + "\",\"inputSchema\":" + SCHEMA + "}"));
        }
        assertThat(tools.of(JsonView.of("{\"name\":\"t10000\"}")).isEmpty()).isTrue();

        tools.learn(JsonView.of("{\"name\":\"t0\",\"inputSchema\":" + SCHEMA + "}"));
        assertThat(tools.of(JsonView.of("{\"name\":\"t0\"}")).isEmpty()).isFalse();
    }

    @Test
    void any_text_comes_back_from_a_header_as_it_was() {
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
