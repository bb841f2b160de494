package dev.fusebox.gateway.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// What counts as a secret in a configuration.
final class ServerSecretsTest {
    private static final Map<String, String> VARIABLES = Map.of(
            "ANY", "value-of-any", "HOME", "/home/somebody", "MY_TOKEN", "value-of-token", "MODE", "value-of-mode");

    private static Configuration configuration(String members) {
        String text = "{\"mcpServers\":{\"s\":{" + members + "}}}";
        return Reads.usable(Reads.read(text.getBytes(UTF_8), VARIABLES));
    }

    private static String hidden(String members, String text) {
        return configuration(members).secrets().hide(text);
    }

    @Test
    void every_value_that_came_from_the_environment_is_secret_but_for_what_every_program_gets() {
        String server = "\"command\":\"${HOME}/x\",\"args\":[\"-m\",\"${ANY}\"],\"env\":{\"A\":\"<${MODE}>\"}";

        assertThat(hidden(server, "value-of-any value-of-mode /home/somebody/x"))
                .isEqualTo("*** *** /home/somebody/x");
    }

    @Test
    void values_in_the_file_are_secret_if_they_are_called_so() {
        String server = "\"command\":\"c\",\"env\":{\"API_KEY\":\"plain-1\",\"LEVEL\":\"verbose\","
                + "\"X\":\"${DB_PASSWORD:-plain-2}\"},\"inheritEnv\":[\"MY_TOKEN\",\"MODE\"]";

        assertThat(hidden(server, "plain-1 verbose plain-2 value-of-token value-of-mode"))
                .isEqualTo("*** verbose *** *** value-of-mode");
    }

    @Test
    void an_argument_is_secret_if_its_option_is_called_so() {
        String server =
                "\"command\":\"c\",\"args\":[\"--token\",\"plain-1\",\"--api-key=plain-2\",\"-e\",\"DB_PASS=plain-3\","
                        + "\"--root\",\"/srv/data\",\"postgres://me:plain-4@host/db\"]";

        assertThat(hidden(server, "plain-1 plain-2 plain-3 /srv/data postgres://me:plain-4@host/db"))
                .isEqualTo("*** *** *** /srv/data postgres://me:***@host/db");
    }

    @Test
    void headers_and_queries_are_secret_with_and_without_their_scheme() {
        String server = "\"url\":\"https://h/mcp?key=plain-1\",\"headers\":{\"Authorization\":\"Bearer plain-2\"}";

        assertThat(hidden(server, "https://h/mcp?key=plain-1 Bearer plain-2 plain-2"))
                .isEqualTo("https://h/mcp?key=*** *** ***");
    }
}
