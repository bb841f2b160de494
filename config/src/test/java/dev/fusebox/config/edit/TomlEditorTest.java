package dev.fusebox.config.edit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One table changes, and everything else stays.
final class TomlEditorTest {
    private static final String ENTRY = "{\"command\":\"/x/fusebox\",\"args\":[\"serve\",\"--config\",\"/c\"]}";
    private static final String BLOCK = """
            [mcp_servers.fusebox]
            command = "/x/fusebox"
            args = ["serve", "--config", "/c"]
            """;

    private static final String FILE = """
            # mine
            model = "gpt-5"  # [mcp_servers.no]
            when = 2026-11-22 05:00:00Z
            notes = \"""
            [mcp_servers.neither]
            a = \\"b\\"
            \"""

            [mcp_servers.docs]
            command = 'npx'
            args = [
              "-y", # yes
              "docs\\u002dserver",
            ]
            env = { "API KEY" = "k", N = 1 }

            [mcp_servers.docs.more]
            on = true

            [[profiles]]
            name = "p"
            """;

    private static String with(String text) throws Unreadable {
        return new String(
                TomlEditor.parse(text.getBytes(UTF_8))
                        .with("mcp_servers", "fusebox", ENTRY)
                        .bytes(),
                UTF_8);
    }

    @Test
    void tables_are_read_as_objects() throws Unreadable {
        assertThat(TomlEditor.parse(FILE.getBytes(UTF_8)).tables("mcp_servers"))
                .hasSize(1)
                .hasEntrySatisfying(
                        "docs",
                        docs -> assertThat(docs.json())
                                .isEqualTo("{\"command\":\"npx\",\"args\":[\"-y\",\"docs-server\"],"
                                        + "\"env\":{\"API KEY\":\"k\",\"N\":1},\"more\":{\"on\":true}}"));
    }

    @Test
    void a_table_is_added_at_the_end_once() throws Unreadable {
        assertThat(with(FILE)).isEqualTo(FILE + "\n" + BLOCK);
        assertThat(with(with(FILE))).isEqualTo(with(FILE));
        assertThat(with("")).isEqualTo(BLOCK);
        assertThat(with("a = 1")).isEqualTo("a = 1\n\n" + BLOCK);
        assertThat(with("a = 1\r\n")).isEqualTo("a = 1\r\n\r\n" + BLOCK.replace("\n", "\r\n"));
    }

    @Test
    void different_table_is_replaced_in_place() throws Unreadable {
        String before = """
                [a]
                [mcp_servers.fusebox]
                command = "old"

                [mcp_servers.fusebox.env]
                A = "1"

                [b]
                x = 1
                """;

        assertThat(with(before)).isEqualTo("[a]\n" + BLOCK + "\n[b]\nx = 1\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a=", "[{a=[", "[[[{b="})
    void what_is_nested_too_deep_is_refused_with_its_line_and_without_its_content(String opening) {
        byte[] text = ("a = 1\ntoken = " + opening.repeat(100_000) + "secret").getBytes(UTF_8);

        assertThatThrownBy(() -> TomlEditor.parse(text))
                .isInstanceOf(Unreadable.class)
                .hasMessage("is nested deeper than 64 levels, in line 2");
    }

    @Test
    void what_is_nested_deep_and_not_too_deep_is_read() throws Unreadable {
        String deep = "[mcp_servers.a]\nx = " + "[".repeat(64) + "]".repeat(64) + "\ny = " + "{z=".repeat(64) + "1"
                + "}".repeat(64) + "\n";

        assertThat(TomlEditor.parse(deep.getBytes(UTF_8)).tables("mcp_servers")).containsOnlyKeys("a");
    }

    @Test
    void a_table_goes_with_those_below_it_and_comments_about_the_next_one_stay() throws Unreadable {
        String before = "# mine\na = 1\n\n[mcp_servers.x]\ncommand = \"x\"\n[mcp_servers.x.env]\n"
                + "A = \"\"\"\n# no comment\n\"\"\"\n\n"
                + "# about y\n[mcp_servers.y]\ncommand = \"y\"";
        TomlEditor text = TomlEditor.parse(before.getBytes(UTF_8));

        assertThat(new String(text.without("mcp_servers", "x").bytes(), UTF_8))
                .isEqualTo("# mine\na = 1\n\n\n# about y\n[mcp_servers.y]\ncommand = \"y\"");
        assertThat(new String(text.without("mcp_servers", "y").bytes(), UTF_8))
                .isEqualTo(before.substring(0, before.indexOf("[mcp_servers.y]")));
        assertThat(text.without("mcp_servers", "z").bytes()).isEqualTo(text.bytes());
        TomlEditor inline = TomlEditor.parse("[mcp_servers]\nx = { command = \"x\" }\n".getBytes(UTF_8));
        assertThatThrownBy(() -> inline.without("mcp_servers", "x")).isInstanceOf(Unreadable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a = ",
                "[a",
                "a = \"x",
                "a = [1, 2",
                "a = {b = 1",
                "a = 'x' 'y'",
                "= 1",
                "a = \"\\q\"",
                "mcp_servers = { x = { command = \"y\" } }",
                "mcp_servers.x.command = \"y\""
            })
    void what_cannot_be_read_or_added_to_is_refused(String text) {
        assertThatThrownBy(() -> with(text)).isInstanceOf(Unreadable.class);
    }
}
