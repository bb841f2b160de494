package dev.fusebox.config.edit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.config.Jsonc;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One member changes, and every other byte stays.
final class JsonEditorTest {
    private static final List<String> SERVERS = List.of("mcpServers");

    private static JsonEditor text(String text) throws Unreadable {
        return JsonEditor.parse(text.getBytes(UTF_8));
    }

    private static String with(String text, String name, String json) throws Unreadable {
        return new String(text(text).with(SERVERS, name, json).bytes(), UTF_8);
    }

    private static String without(String text, String name) throws Unreadable {
        return new String(text(text).without(SERVERS, name).bytes(), UTF_8);
    }

    @Test
    void a_member_is_added_behind_the_last_and_its_comments() throws Unreadable {
        String before = """
                // mine
                {
                    "theme": "dark", /* keep */
                    "mcpServers": {
                        // files
                        "a": { "command": "x" } // last
                        // the end
                    }
                }
                """;

        assertThat(with(before, "b", "{\"command\":\"y\",\"args\":[\"1\",\"2\"]}"))
                .isEqualTo("""
                // mine
                {
                    "theme": "dark", /* keep */
                    "mcpServers": {
                        // files
                        "a": { "command": "x" }, // last
                        // the end
                        "b": {
                            "command": "y",
                            "args": ["1", "2"]
                        }
                    }
                }
                """);
    }

    @Test
    void trailing_commas_tabs_and_line_ends_are_kept() throws Unreadable {
        String before = """
                \uFEFF{
                \t"mcpServers": {
                \t\t"a": {},
                \t},
                }
                """.replace("\n", "\r\n");

        assertThat(with(before, "b", "{\"c\":1}")).isEqualTo("""
                \uFEFF{
                \t"mcpServers": {
                \t\t"a": {},
                \t\t"b": {
                \t\t\t"c": 1
                \t\t},
                \t},
                }
                """.replace("\n", "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "{}", "{ }", "{\n}\n"})
    void what_is_not_there_is_made(String before) throws Unreadable {
        assertThat(with(before, "b", "{\"c\":1}").strip().lines().toList())
                .containsExactly("{", "  \"mcpServers\": {", "    \"b\": {", "      \"c\": 1", "    }", "  }", "}");
    }

    @Test
    void a_line_stays_a_line() throws Unreadable {
        assertThat(with("{\"mcpServers\":{\"a\":{}}}", "b", "{\"c\":[1]}"))
                .isEqualTo("{\"mcpServers\":{\"a\":{}, \"b\": { \"c\": [1] }}}");
        assertThat(without("{\"mcpServers\":{\"a\":1, \"b\": 2, \"c\":3}}", "b"))
                .isEqualTo("{\"mcpServers\":{\"a\":1, \"c\":3}}");
        assertThat(without("{\"mcpServers\":{\"a\":1, \"b\": 2}}", "b")).isEqualTo("{\"mcpServers\":{\"a\":1}}");
    }

    @Test
    void a_member_goes_with_its_line_and_comments_on_lines_of_their_own_stay() throws Unreadable {
        String before = """
                {
                  "mcpServers": {
                    // first
                    "a": {
                      "command": "x"
                    }, // about a
                    // second
                    "b": 1
                  }
                }
                """;

        assertThat(without(before, "a")).isEqualTo("""
                {
                  "mcpServers": {
                    // first
                    // second
                    "b": 1
                  }
                }
                """);
        assertThat(without(before, "b")).isEqualTo("""
                {
                  "mcpServers": {
                    // first
                    "a": {
                      "command": "x"
                    } // about a
                    // second
                  }
                }
                """);
        assertThat(without(without("{\n  \"mcpServers\": {\n    \"a\": 1\n  }\n}", "a"), "a"))
                .isEqualTo("{\n  \"mcpServers\": {}\n}");
    }

    @Test
    void equal_entry_is_not_modified() throws Unreadable {
        String before = "{\"mcpServers\": {\"a\" :{ \"command\":\"x\" , \"args\":[ \"1\" ]}}}";

        assertThat(with(before, "a", "{\"command\":\"x\",\"args\":[\"1\"]}")).isEqualTo(before);
        assertThat(without(before, "z")).isEqualTo(before);
    }

    @Test
    void a_value_is_exchanged_in_its_place() throws Unreadable {
        assertThat(with("{\"mcpServers\": {\"a\": 1, /* x */ \"b\": 2}}", "a", "\"new\""))
                .isEqualTo("{\"mcpServers\": {\"a\": \"new\", /* x */ \"b\": 2}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{",
                "{\"a\":}",
                "{} x",
                "{/* }",
                "{\"mcpServers\":[]}",
                "{\"mcpServers\":{\"b\":1,\"b\":2}}",
                "{\"mcpServers\":{},\"mcpServers\":{}}",
                "\0{\0}"
            })
    void what_cannot_be_read_is_refused(String before) {
        assertThatThrownBy(() -> with(before, "b", "1")).isInstanceOf(Unreadable.class);
    }

    // ---- Any text

    /// What a text means after any number of changes is what they say, and all its comments but those behind a
    /// member that went are still there.
    @Test
    void random_changes_of_random_texts_have_the_intended_effect() throws Unreadable {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 1_000; round++) {
            String before = object(random, 0);
            JsonEditor text = text("{\"top\": 1, \"mcpServers\":" + before + "}");
            Map<String, String> expected = members(Objects.requireNonNull(text.at(SERVERS)));
            List<String> history = new ArrayList<>(List.of("seed " + seed, new String(text.bytes(), UTF_8)));
            for (int change = 0; change < 4; change++) {
                String name = "n" + random.nextInt(5);
                if (random.nextBoolean()) {
                    String json = random.nextBoolean() ? "{\"x\":{},\"y\":[true,null]}" : "\"//\"";
                    text = text.with(SERVERS, name, json);
                    expected.put(name, plain(JsonView.of(json)));
                    history.add("with " + name);
                } else {
                    text = text.without(SERVERS, name);
                    expected.remove(name);
                    history.add("without " + name);
                }
                history.add(new String(text.bytes(), UTF_8));
                assertThat(members(Objects.requireNonNull(text.at(SERVERS))))
                        .as("%s", history)
                        .isEqualTo(expected);
            }
            long alone = lonely(before);
            assertThat(lonely(new String(text.bytes(), UTF_8)))
                    .as("%s", history)
                    .isGreaterThanOrEqualTo(alone);
        }
    }

    /// Comments that stand on lines of their own, outside of all that goes.
    private static long lonely(String text) {
        return text.lines().filter(line -> line.strip().startsWith("// alone")).count();
    }

    private static Map<String, String> members(JsonView object) {
        Map<String, String> members = new LinkedHashMap<>();
        object.forEachMember((name, value) -> members.put(name, plain(value)));
        return members;
    }

    private static String plain(JsonView value) {
        return JsonLayout.onOneLine(
                JsonView.of(new String(Jsonc.of(value.bytes()).json(), UTF_8)));
    }

    private static String object(Random random, int depth) {
        StringBuilder text = new StringBuilder("{").append(gap(random, depth == 0));
        List<Integer> names = new ArrayList<>(List.of(0, 1, 2, 3, 4));
        Collections.shuffle(names, random);
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            String value = depth < 2 && random.nextInt(3) == 0 ? object(random, depth + 1) : "\"a,}\\\"//b\"";
            text.append("\"n")
                    .append(names.get(i))
                    .append("\"")
                    .append(space(random))
                    .append(":")
                    .append(space(random));
            text.append(value).append(gap(random, false));
            text.append(i + 1 < count || random.nextBoolean() ? "," : "").append(gap(random, depth == 0));
        }
        return text.append("}").toString();
    }

    private static String space(Random random) {
        return List.of("", " ", "\t").get(random.nextInt(3));
    }

    /// @param mayBeAlone whether it may be a comment on a line of its own
    private static String gap(Random random, boolean mayBeAlone) {
        List<String> gaps =
                List.of("", " ", "\n", "\n    ", "\n\t", "\r\n  ", " // c \" , }\n  ", " /* , \" */ ", "/* a\n b */");
        int chosen = random.nextInt(gaps.size() + (mayBeAlone ? 2 : 0));
        return chosen < gaps.size() ? gaps.get(chosen) : "\n  // alone , {\n  ";
    }
}
