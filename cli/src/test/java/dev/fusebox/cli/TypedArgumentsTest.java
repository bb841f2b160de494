package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Words of the command line as arguments of a tool, and arguments of a tool as words.
class TypedArgumentsTest {
    private static final JsonView FORECAST = JsonView.of("""
            {"type": "object", "required": ["city", "days"], "$defs": {"unit": {"enum": ["metric", "imperial"]}},
             "properties": {
               "city": {"type": "string", "description": "Where"},
               "zip": {"type": "string"},
               "days": {"type": "integer", "minimum": 3},
               "limit": {"type": ["integer", "null"], "default": 10},
               "ratio": {"type": "number"},
               "hourly": {"type": "boolean"},
               "labels": {"type": "array", "items": {"type": "string"}},
               "hours": {"type": "array", "items": {"type": "integer"}},
               "place": {"type": "object"},
               "unit": {"$ref": "#/$defs/unit"},
               "since": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
               "anything": {}}}""");

    private static String typed(JsonView schema, String... words) throws ServeOptions.Problem {
        assertThat(GivenArguments.parse(List.of(words))).isInstanceOf(GivenArguments.Pairs.class);
        GivenArguments.Pairs pairs = (GivenArguments.Pairs) GivenArguments.parse(List.of(words));
        return new TypedArguments("jira/forecast", schema).of(pairs.pairs());
    }

    private static String typed(String... words) throws ServeOptions.Problem {
        return typed(FORECAST, words);
    }

    private static void refused(String message, String... words) {
        assertThatThrownBy(() -> typed(words))
                .isInstanceOf(ServeOptions.Problem.class)
                .hasMessageContaining(message);
    }

    @Test
    void value_has_type_of_schema() throws Exception {
        assertThat(typed("city=Rome", "zip=01234", "days=7", "ratio=1.5e3", "hourly=true"))
                .isEqualTo("{\"city\":\"Rome\",\"zip\":\"01234\",\"days\":7,\"ratio\":1.5e3,\"hourly\":true}");
        assertThat(typed("limit=null", "since=5")).isEqualTo("{\"limit\":null,\"since\":5}");
        assertThat(typed("place={\"x\": 1}", "anything=12")).isEqualTo("{\"place\":{\"x\": 1},\"anything\":\"12\"}");
        assertThat(typed("city=", "zip=a=b:=c")).isEqualTo("{\"city\":\"\",\"zip\":\"a=b:=c\"}");
    }

    @Test
    void array_is_given_by_repeated_keys_or_json() throws Exception {
        assertThat(typed("labels=a", "labels=b", "hours=1", "hours=2"))
                .isEqualTo("{\"labels\":[\"a\",\"b\"],\"hours\":[1,2]}");
        assertThat(typed("labels=a")).isEqualTo("{\"labels\":[\"a\"]}");
        assertThat(typed("labels=[\"a\",\"b\"]")).isEqualTo("{\"labels\":[\"a\",\"b\"]}");
        refused("\"hours\" must be an integer, found \"one\"", "hours=one");
        refused("\"city\" is given 2 times, but jira/forecast takes a single string", "city=a", "city=b");
    }

    @Test
    void value_of_wrong_type_is_rejected_with_expected_type() {
        refused("\"days\" must be an integer, found \"1.5\"", "days=1.5");
        refused("\"days\" must be an integer, found \"07\"", "days=07");
        refused("\"hourly\" must be a boolean, found \"yes\"", "hourly=yes");
        refused("\"place\" must be an object, found \"Rome\"", "place=Rome");
        refused("\"since\" must be an integer or null, found \"\"", "since=");
    }

    @Test
    void json_value_ignores_schema() throws Exception {
        assertThat(typed("anything:=[1, {\"a\": null}]", "days:=\"x\""))
                .isEqualTo("{\"anything\":[1, {\"a\": null}],\"days\":\"x\"}");
        refused("the value of \"days:=\" is not JSON", "days:=x");
    }

    @Test
    void unknown_key_gets_suggestion() throws Exception {
        refused("jira/forecast has no argument \"ctiy\"; did you mean \"city\"?", "ctiy=Rome");
        refused("its arguments: city, days, zip", "completely=different");
        assertThat(typed(JsonView.of("{\"properties\":{\"a\":{}},\"additionalProperties\":true}"), "b=1"))
                .isEqualTo("{\"b\":\"1\"}");
        assertThat(typed(JsonView.of("{\"type\":\"object\"}"), "b=1")).isEqualTo("{\"b\":\"1\"}");
        assertThat(typed(JsonView.of("{\"additionalProperties\":{\"type\":\"integer\"}}"), "b=1"))
                .isEqualTo("{\"b\":1}");
    }

    @Test
    void mixed_arguments_are_rejected_with_usage() {
        for (String[] words : new String[][] {
            {"city=Rome", "{\"days\": 1}"}, {"-", "city=Rome"}, {"city"}, {"=x"}, {":=x"}, {"city=Rome", "days"}
        }) {
            assertThatThrownBy(() -> GivenArguments.parse(List.of(words)))
                    .isInstanceOf(ServeOptions.Problem.class)
                    .hasMessageStartingWith("expected KEY=VALUE arguments, one JSON object, or - for standard input");
        }
    }

    @Test
    void standard_input_is_one_object_within_size_limit() throws Exception {
        InputStream object = new ByteArrayInputStream("{\"city\": \"Rome\"}\n".getBytes(UTF_8));
        assertThat(GivenArguments.read(object)).startsWith("{\"city\": \"Rome\"}");
        for (String text : List.of("", "[]", "{\"city\"")) {
            InputStream in = new ByteArrayInputStream(text.getBytes(UTF_8));
            assertThatThrownBy(() -> GivenArguments.read(in)).isInstanceOf(ServeOptions.Problem.class);
        }
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return ' ';
            }

            @Override
            public int read(byte[] to, int from, int length) {
                IntStream.range(from, from + length).forEach(at -> to[at] = ' ');
                return length;
            }
        };
        assertThatThrownBy(() -> GivenArguments.read(endless))
                .isInstanceOf(ServeOptions.Problem.class)
                .hasMessageContaining("exceeds the limit of 16777216 bytes");
    }

    @Test
    void example_has_required_arguments() throws Exception {
        assertThat(ExampleArguments.words(FORECAST)).containsExactly("city=text", "days=3");
        JsonView schema = JsonView.of("""
                {"type": "object", "required": ["to", "at", "unit", "deep", "any", "none", "level"], "properties": {
                  "to": {"type": "array", "items": {"type": "string", "format": "email"}},
                  "at": {"type": "string", "format": "date"},
                  "unit": {"enum": ["metric", "imperial"]},
                  "deep": {"type": "object", "required": ["a"], "properties": {"a": {"type": "boolean"}, "b": {}}},
                  "any": {"default": 5},
                  "none": {"type": "null"},
                  "level": {"type": "integer", "maximum": -2}}}""");
        List<String> words = ExampleArguments.words(schema);
        assertThat(words)
                .containsExactly(
                        "to=name@example.com",
                        "at=2026-01-31",
                        "unit=metric",
                        "deep={\"a\":true}",
                        "any:=5",
                        "none=null",
                        "level=-2");
        assertThat(typed(schema, words.toArray(String[]::new)))
                .isEqualTo("{\"to\":[\"name@example.com\"],\"at\":\"2026-01-31\",\"unit\":\"metric\","
                        + "\"deep\":{\"a\":true},\"any\":5,\"none\":null,\"level\":-2}");
    }

    @Test
    void example_with_unusual_key_is_json() {
        JsonView schema = JsonView.of("{\"type\":\"object\",\"required\":[\"a=b\"],\"properties\":{\"a=b\":{}}}");
        assertThat(ExampleArguments.words(schema)).containsExactly("{\"a=b\":\"text\"}");
        assertThat(ExampleArguments.words(null)).isEmpty();
    }

    @Test
    void recursive_schema_has_finite_example() {
        JsonView schema = JsonView.of("""
                {"type": "object", "required": ["tree"], "properties": {"tree": {"$ref": "#/$defs/tree"}}, "$defs": {
                  "loop": {"$ref": "#/$defs/loop"},
                  "tree": {"type": "object", "required": ["left", "loop"],
                           "properties": {"left": {"$ref": "#/$defs/tree"}, "loop": {"$ref": "#/$defs/loop"}}}}}""");
        assertThat(ExampleArguments.words(schema)).hasSize(1).first().asString().startsWith("tree={\"left\":{");
    }
}
