package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.edit.JsonEditor;
import dev.fusebox.config.edit.Unreadable;
import dev.fusebox.protocol.JsonWriter;
import org.junit.jupiter.api.Test;

/// What `allow` shows of a file that may come from somebody else.
class LaunchListTest {
    private static LaunchList list() throws Unreadable {
        return LaunchList.of(JsonEditor.parse("""
                {"mcpServers": {
                  "one": {"url": "https://h/", "headersHelper": ["./helper", "--token",
                      "ghp_0123456789abcdefABCDEF0123456789abcd"],
                          "oauth": {"clientId": "a"}},
                  "two": {"url": "https://h/", "headersHelper": "helper"}},
                 "credentials": {"store": "command", "command": ["./vault", "a b"]}}
                """.getBytes(UTF_8)));
    }

    @Test
    void every_program_of_the_file_is_shown_without_secrets() throws Unreadable {
        assertThat(list().lines())
                .containsExactly(
                        "one           https://h/",
                        "              headers from ./helper --token \"***\"",
                        "              also sets oauth",
                        "two           https://h/",
                        "              headers from helper",
                        "The file also sets credentials",
                        "Secrets are stored by ./vault \"a b\"");
    }

    @Test
    void json_has_the_same() throws Unreadable {
        JsonWriter json = new JsonWriter().beginObject();
        list().write(json);

        assertThat(json.endObject().toString())
                .contains(
                        "\"headersHelper\":[\"./helper\",\"--token\",\"***\"]",
                        "\"headersHelper\":[\"helper\"]",
                        "\"secretProgram\":[\"./vault\",\"a b\"]")
                .doesNotContain("ghp_");
    }
}
