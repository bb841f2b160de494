package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

/// One tool as people read it.
class ToolPageTest {
    private static String page(String definition) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream to = new PrintStream(out, true, UTF_8);
        JsonView tool = JsonView.of("{\"server\":\"jira\",\"tool\":\"search\",\"shownAs\":\"jira__search\","
                + "\"description\":\"Finds issues.\\nBy words.\",\"definition\":" + definition + "}");
        new ToolPage(new CommandOutput(to, to, false), " --gateway 7").print(tool);
        return out.toString(UTF_8);
    }

    @Test
    void tool_is_shown_with_arguments_and_example_call() {
        assertThat(page("""
                {"inputSchema": {"required": ["query"], "properties": {
                   "limit": {"type": "integer", "default": 10, "description": "At most so many"},
                   "query": {"type": "string", "description": "What to look\\u001b[2J for"},
                   "state": {"enum": ["open", "closed"], "description": "Which"},
                   "labels": {"type": "array", "items": {"enum": ["bug", "ui"]}},
                   "extra": {}}}}""")).isEqualTo("""
                jira/search  (exposed as jira__search)
                  Finds issues.
                  By words.

                Arguments
                  name    type             required  default  description
                  query   string           yes                What to look [2J for
                  limit   integer                    10       At most so many
                  state   string                              Which (one of: open, closed)
                  labels  array of string                     (one of: bug, ui)
                  extra   any

                Example
                  ./fusebox call jira/search query=text --gateway 7
                """);
    }

    @Test
    void tool_without_arguments_is_described() {
        assertThat(page("{\"inputSchema\":{\"type\":\"object\",\"additionalProperties\":false}}"))
                .contains("It takes no arguments.\n\nExample\n  ./fusebox call jira/search --gateway 7\n");
        assertThat(page("{\"inputSchema\":{\"type\":\"object\"}}")).contains("Its schema declares no arguments.");
        assertThat(page("{}")).contains("Its schema declares no arguments.");
    }

    @Test
    void example_is_quoted_for_shell() {
        assertThat(page("{\"inputSchema\":{\"required\":[\"q\"],\"properties\":{\"q\":{\"const\":\"it's two\"}}}}"))
                .contains("./fusebox call jira/search 'q=it'\\''s two' --gateway 7\n");
    }

    @Test
    void object_members_and_constraints_are_shown() {
        assertThat(page("""
                {"inputSchema": {"required": ["place", "guests"], "properties": {
                   "count": {"type": "integer", "minimum": 1, "maximum": 9},
                   "guests": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/guest"}},
                   "place": {"type": "object", "required": ["city"], "properties": {
                     "city": {"type": "string", "minLength": 2, "description": "Where"}}}},
                   "$defs": {"guest": {"type": "object", "properties": {
                     "mail": {"type": "string", "format": "email"}}}}}}""")).contains("""
                  name    type             required  default  description
                  guests  array of object  yes                (at least 1 element)
                    mail  string                              (format: email)
                  place   object           yes
                    city  string           yes                Where (at least 2 characters)
                  count   integer                             (at least 1; at most 9)
                """);
    }

    @Test
    void example_names_values_that_must_match_pattern() {
        assertThat(page("""
                {"inputSchema": {"required": ["code", "key"], "properties": {
                   "code": {"type": "string", "pattern": "^[A-Z]+$"},
                   "key": {"type": "string", "pattern": "^k", "examples": ["k1"]},
                   "free": {"type": "string", "pattern": "^f"}}}}""")).endsWith("""
                  ./fusebox call jira/search code=text key=k1 --gateway 7
                  Replace the value of code: it must match ^[A-Z]+$
                """);
    }

    @Test
    void recursive_schema_is_shown_finitely() {
        String page = page("""
                {"inputSchema": {"properties": {"node": {"$ref": "#/$defs/node"}},
                   "$defs": {"node": {"type": "object", "properties": {
                     "left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"}}}}}}""");
        assertThat(page.lines().filter(line -> line.contains("object"))).hasSize(15);
    }
}
