package dev.fusebox.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What of a server's entry is a secret in plain text.
class LiteralSecretsTest {
    private final Map<String, String> variables = new HashMap<>();

    private LiteralSecrets in(String entry) {
        return LiteralSecrets.in("git-hub", JsonView.of(entry), variables);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '^',
            value = {
                "{\"env\":{\"GITHUB_TOKEN\":\"abc\"}}; {\"env\":{\"GITHUB_TOKEN\":\"${GITHUB_TOKEN}\"}}",
                "{\"env\":{\"A\":\"ghp_0123456789abcdefghijABCDEFGHIJ\"}}; {\"env\":{\"A\":\"${A}\"}}",
                "{\"env\":{\"TOKEN\":\"${TOKEN:-abc}\"}}; {\"env\":{\"TOKEN\":\"${TOKEN}\"}}",
                "{\"env\":{\"DB\":\"postgres://u:hunter2@h/d\"}}; {\"env\":{\"DB\":\"${DB}\"}}",
                "{\"env\":{\"DSN\":\"https://q1w2e3@h/1\"}}; {\"env\":{\"DSN\":\"${DSN}\"}}",
                "{\"env\":{\"my-key\":\"q1w2e3\"}}; {\"env\":{\"my-key\":\"${GIT_HUB_MY_KEY}\"}}",
                "{\"headers\":{\"Authorization\":\"Bearer abc\"}};"
                        + " {\"headers\":{\"Authorization\":\"Bearer ${GIT_HUB_AUTHORIZATION}\"}}",
                "{\"headers\":{\"X-Api-Key\":\"q1w2e3\"}}; {\"headers\":{\"X-Api-Key\":\"${GIT_HUB_API_KEY}\"}}",
                "{\"args\":[\"--api-key\",\"q1w2e3\"]}; {\"args\":[\"--api-key\",\"${GIT_HUB_API_KEY}\"]}",
                "{\"args\":[\"--token=abc\"]}; {\"args\":[\"--token=${GIT_HUB_TOKEN}\"]}",
                "{\"args\":[\"-e\",\"API_KEY=q1w2e3\"]}; {\"args\":[\"-e\",\"API_KEY=${GIT_HUB_API_KEY}\"]}",
                "{\"args\":[\"--header\",\"Authorization: Bearer abc\"]};"
                        + " {\"args\":[\"--header\",\"Authorization: Bearer ${GIT_HUB_AUTHORIZATION}\"]}",
                "{\"args\":[\"postgresql://u:hunter2@h/d\"]}; {\"args\":[\"postgresql://u:${GIT_HUB_TOKEN}@h/d\"]}",
                "{\"args\":[\"postgres://user:pw@host/x\"]}; {\"args\":[\"postgres://user:${GIT_HUB_TOKEN}@host/x\"]}",
                "{\"args\":[\"pg://h/d?password=q1w2\"]};" + " {\"args\":[\"pg://h/d?password=${GIT_HUB_PASSWORD}\"]}",
                "{\"args\":[\"sk-ant-api03-abcdefgh12345678\"]}; {\"args\":[\"${GIT_HUB_TOKEN}\"]}",
                "{\"url\":\"https://h/mcp?api_key=q1w2e3&x=1\"};"
                        + " {\"url\":\"https://h/mcp?api_key=${GIT_HUB_API_KEY}&x=1\"}",
                "{\"args\":[\"--header\",\"Authorization:Bearer abc\"]};"
                        + " {\"args\":[\"--header\",\"Authorization:Bearer ${GIT_HUB_AUTHORIZATION}\"]}",
                "{\"args\":[\"--header=X-Api-Key: q1w2e3\"]}; {\"args\":[\"--header=X-Api-Key: ${GIT_HUB_API_KEY}\"]}",
                "{\"args\":[\"-H\",\"X-Team:c0a1b2c3d4e5f6a7b8c9d0e1f2a3\"]};"
                        + " {\"args\":[\"-H\",\"X-Team:${GIT_HUB_TEAM}\"]}",
                "{\"args\":[\"{\\\"apiKey\\\": \\\"q1w2e3\\\"}\"]};"
                        + " {\"args\":[\"{\\\"apiKey\\\": \\\"${GIT_HUB_TOKEN}\\\"}\"]}",
                "{\"env\":{\"FIELDS\":\"{\\\"Authorization\\\":\\\"Bearer abc\\\",\\\"V\\\":\\\"1\\\"}\"}};"
                        + " {\"env\":{\"FIELDS\":\"${FIELDS}\"}}",
                "{\"url\":\"https://h/s/ZGU2MTk3Y2EtNzk1Yy00ZmY5/mcp\"}; {\"url\":\"https://h/s/${GIT_HUB_TOKEN}/mcp\"}"
            })
    void a_secret_is_replaced_by_a_variable(String entry, String replaced) {
        LiteralSecrets secrets = in(entry.strip());
        assertThat(secrets.replaced()).isEqualTo(replaced.strip());
        assertThat(secrets.literals()).hasSize(1);
        assertThat(secrets.masked()).contains("***").doesNotContain("$");
    }

    @Test
    void password_in_a_connection_string_is_replaced_by_a_variable() {
        String connection = "Server=db;User Id=sa;Password=q1w2e3;Timeout=5";
        assertThat(in("{\"args\":[\"--db\",\"" + connection + "\"],\"env\":{\"DB\":\"" + connection + "\"}}")
                        .replaced())
                .doesNotContain("q1w2e3")
                .contains("\"env\":{\"DB\":\"${DB}\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"command\":\"npx\",\"args\":[\"-y\",\"@modelcontextprotocol/server-filesystem@2025.8.21\",\".\"]}",
                "{\"args\":[\"--from\",\"git+https://h/x@0123456789abcdef0123456789abcdef01234567\"]}",
                "{\"command\":\"docker\",\"args\":[\"run\",\"x@sha256:0123456789abcdef0123456789abcdef01234567\"]}",
                "{\"env\":{\"GITHUB_TOKEN\":\"${GITHUB_TOKEN}\",\"A\":\"${env:B}\",\"C_KEY\":\"${input:key}\"}}",
                "{\"env\":{\"AUTH_MODE\":\"none\",\"MAX_TOKENS\":\"4096\",\"USE_TOKEN\":\"true\"}}",
                "{\"env\":{\"TOKEN_FILE\":\"/run/secrets/token\",\"KEY_PATH\":\"~/.ssh/id_ed25519\"}}",
                "{\"env\":{\"TOKEN_URL\":\"https://login.example/oauth2/token\"}}",
                "{\"env\":{\"PROJECT\":\"0b9f3f8e-6f3c-4a53-9f0c-0d8c3f2b7a11\",\"REGION\":\"eu-west-1\"}}",
                "{\"headers\":{\"Authorization\":\"Bearer ${TOKEN}\",\"Accept\":\"text/html\"}}",
                "{\"args\":[\"--header\",\"Authorization: Bearer ${TOKEN}\",\"--api-key\",\"${KEY}\"]}",
                "{\"args\":[\"postgresql://u:${PASSWORD}@h/d\",\"task-manager-for-something-1\"]}",
                "{\"url\":\"https://h/mcp?api_key=${KEY}\"}",
                "{\"args\":[\"--dsn\",\"postgres://h:5432/d\"],\"env\":{\"DSN\":\"redis://h/0\"}}",
                "{\"command\":\"npx\",\"args\":[\"-y\",\"pkg\",\"--dsn\",\"postgres://host/x\"]}",
                "{\"args\":[\"--dsn=postgres://host/x\",\"--dsn=mysql://host/x?ssl=true\"]}",
                "{\"args\":[\"--token-file\",\"/etc/token\",\"--password-store\",\"/etc/x\"]}",
                "{\"args\":[\"--header\",\"Accept:text/html\",\"token-server:latest\",\"Password=${PW};Timeout=5\"]}",
                "{\"env\":{\"FIELDS\":\"{\\\"Authorization\\\":\\\"Bearer ${TOKEN}\\\","
                        + "\\\"Version\\\":\\\"2022-06-28\\\"}\"}}",
                "{\"url\":\"http://127.0.0.1:7332/mcp\",\"timeoutMs\":20000,\"tools\":{\"exclude\":[\"token_*\"]}}",
            })
    void what_is_no_secret_stays(String entry) {
        LiteralSecrets secrets = in(entry);
        assertThat(secrets.literals()).isEmpty();
        assertThat(secrets.replaced()).isEqualTo(entry);
    }

    @Test
    void one_variable_never_stands_for_two_values() {
        assertThat(in("{\"env\":{\"TOKEN\":\"one\"}}").replaced()).contains("${TOKEN}");
        LiteralSecrets other = LiteralSecrets.in("jira", JsonView.of("{\"env\":{\"TOKEN\":\"two\"}}"), variables);
        assertThat(other.replaced()).contains("${JIRA_TOKEN}");
        assertThat(other.literals()).containsExactly(new LiteralSecrets.Literal("env TOKEN", "JIRA_TOKEN"));
        assertThat(in("{\"args\":[\"--token\",\"three\",\"--token\",\"four\"]}").replaced())
                .isEqualTo("{\"args\":[\"--token\",\"${GIT_HUB_TOKEN}\",\"--token\",\"${GIT_HUB_TOKEN_3}\"]}");
        assertThat(in("{\"env\":{\"TOKEN\":\"one\"}}").replaced()).contains("${TOKEN}");
    }

    @Test
    void what_has_another_shape_than_expected_stays() {
        String odd = "{\"env\":[1],\"args\":\"x\",\"url\":7,\"headers\":{\"Authorization\":null},\"token\":\"abc\"}";
        assertThat(in(odd).replaced()).isEqualTo(odd);
    }
}
