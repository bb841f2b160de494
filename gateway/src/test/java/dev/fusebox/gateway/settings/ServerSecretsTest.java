package dev.fusebox.gateway.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.ReadResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What counts as a secret in a configuration.
final class ServerSecretsTest {
    private static final Map<String, String> VARIABLES =
            Map.of("ANY", "value-of-any", "HOME", "/home/ada", "MY_TOKEN", "value-of-token", "MODE", "value-of-mode");

    private static Configuration configuration(String members) {
        String text = "{\"mcpServers\":{\"s\":{" + members + "}}}";
        return Configs.usable(Configs.read(text, VARIABLES));
    }

    private static String hidden(String variable, String value, String text) {
        String config = "{\"mcpServers\":{\"s\":{\"command\":\"c\",\"args\":[\"${" + variable + "}\"]}}}";
        return Endpoints.secrets(Configs.usable(Configs.read(config, Map.of(variable, value))))
                .hide(text);
    }

    private static String hidden(String members, String text) {
        return Endpoints.secrets(configuration(members)).hide(text);
    }

    @Test
    void a_value_that_came_from_the_environment_is_secret_but_for_what_every_program_gets() {
        String server = "\"command\":\"${HOME}/x\",\"args\":[\"-m\",\"${ANY}\"],\"env\":{\"A\":\"<${MODE}>\"}";

        assertThat(hidden(server, "value-of-any value-of-mode /home/ada/x")).isEqualTo("*** *** /home/ada/x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "production",
                "eu-west-1",
                "localhost:8080",
                "Staging",
                "DEBUG_ALL",
                "10.0.0.17",
                "https://jira.example.com",
                "http://localhost:9200/api/mcp"
            })
    void ordinary_value_of_the_environment_is_not_redacted(String value) {
        assertThat(hidden("MODE", value, "in " + value + " since")).isEqualTo("in " + value + " since");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "k7f9q2",
                "12345678",
                "correct-horse-battery",
                "abcdefghijklmnop",
                "tr0ub4dor",
                "https://hooks.example.com/services/T0/B7xk",
                "https://me:word@example.com",
                "https://example.com/?code=word",
                "two words!",
                "eyJhbGciOiJI",
                "AKIAIOSFODNN7"
            })
    void generated_looking_value_is_redacted_under_any_name(String value) {
        assertThat(hidden("MODE", value, "in " + value + " since")).isEqualTo("in *** since");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"DB_PASSWORD", "MY_TOKEN", "API_KEY", "github_pat", "Authorization", "SLACK_WEBHOOK", "MYSQL_PWD"
            })
    void value_with_a_secret_name_is_redacted_even_if_it_is_a_word(String name) {
        assertThat(hidden(name, "production", "in production since")).isEqualTo("in *** since");
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
    void a_secret_among_the_arguments_is_warned_of_where_it_stands_and_without_its_value() {
        String server = "\"command\":\"c\",\"args\":[\"-v\",\"--token\",\"${MY_TOKEN}\",\"in\",\"${PLACE}\","
                + "\"--api-key=plain-1\"],"
                + "\"env\":{\"B\":\"${ANY}\"}";
        String text = "{\"mcpServers\":{\"s\":{" + server + "}}}";
        ReadResult readResult =
                Configs.read(text, Map.of("MY_TOKEN", "value-of-token", "PLACE", "production", "ANY", "value-of-any"));

        assertThat(readResult.warnings())
                .extracting(ConfigProblem::pointer)
                .containsExactly("/mcpServers/s/args/2", "/mcpServers/s/args/5");
        assertThat(readResult.warnings())
                .allSatisfy(warning -> assertThat(warning.toString())
                        .contains("every user of this machine can read", "\"env\"")
                        .doesNotContain("value-of-token", "plain-1"));
    }

    private static List<String> warnings(String args, Map<String, String> variables) {
        String text = "{\"mcpServers\":{\"s\":{\"command\":\"c\",\"args\":" + args + "}}}";
        return Configs.read(text, variables).warnings().stream()
                .map(warning -> warning.pointer() + " " + warning.message())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\"--dsn=postgres://host/x\",\"--verbose\"]",
                "[\"--dsn\",\"postgres://host/x?sslmode=require\"]",
                "[\"--token-file\",\"/etc/token\"]",
                "[\"--token-file=/etc/token\",\"/srv/data/of/all\"]",
                "[\"--password-store\",\"/etc/x-y-z\"]",
                "[\"--dsn\",\"${DSN_DSN}\"]",
                "[\"--root\",\"${NOTES}\"]",
                "[\"--token-file\",\"${TOKEN_FILE}\"]"
            })
    void place_is_no_secret(String args) {
        assertThat(warnings(
                        args,
                        Map.of(
                                "DSN_DSN", "postgres://host/x",
                                "NOTES", "/home/ada/notes",
                                "TOKEN_FILE", "/etc/token")))
                .isEmpty();
    }

    @Test
    void short_password_in_an_address_is_a_secret() {
        assertThat(warnings("[\"postgres://user:pw@host/x\"]", Map.of()))
                .singleElement()
                .asString()
                .startsWith("/mcpServers/s/args/0 contains a secret in plain text");
        assertThat(hidden("\"command\":\"c\",\"args\":[\"postgres://user:pw@host/x\"]", "at postgres://user:pw@host/x"))
                .isEqualTo("at postgres://***@host/x");
    }

    @Test
    void secrets_of_variables_in_arguments_are_warned_of_once_and_plain_text_is_not() {
        assertThat(warnings(
                        "[\"--token\",\"${A_TOKEN}\",\"--dsn\",\"postgres://me:${A_PW}@host/x\"]",
                        Map.of("A_TOKEN", "value-of-token", "A_PW", "q1w2e3r4")))
                .singleElement()
                .asString()
                .startsWith("/mcpServers/s/args/1 contains a secret from a variable")
                .contains("`ps`")
                .doesNotContain("plain text");
    }

    @Test
    void headers_and_queries_are_secret_with_and_without_their_scheme() {
        String server = "\"url\":\"https://h/mcp?key=plain-1\",\"headers\":{\"Authorization\":\"Bearer plain-2\"}";

        assertThat(hidden(server, "https://h/mcp?key=plain-1 Bearer plain-2 plain-2"))
                .isEqualTo("https://h/mcp?key=*** *** ***");
    }
}
