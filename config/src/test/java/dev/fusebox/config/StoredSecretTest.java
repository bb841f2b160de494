package dev.fusebox.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Stored secrets in texts of a configuration.
class StoredSecretTest {
    private final List<String> asked = new ArrayList<>();

    private ReadResult read(String members) {
        SecretLookup lookup = (credentials, name) -> {
            asked.add(credentials.store() + " " + name);
            if (name.startsWith("locked")) {
                throw new IOException("the keyring is locked");
            }
            return name.equals("none") ? null : "value-of-" + name;
        };
        String file = "{\"mcpServers\":{\"one\":{" + members + "}},\"credentials\":{\"store\":\"keyring\"}}";
        return new FileReader(new HostEnvironment(Map.of(), 0, lookup), Path.of("f.json"), Overrides.NONE)
                .read(file.getBytes(UTF_8));
    }

    private ServerState state(String members) {
        return Reads.usable(read(members)).servers().getFirst().state();
    }

    @Test
    void secret_is_expanded_wherever_a_variable_is() {
        assertThat(state("\"command\":\"c\",\"args\":[\"-${secret:a.b-1}-\"],\"env\":{\"X\":\"${secret:e}\"}"))
                .isInstanceOfSatisfying(ServerState.Ready.class, ready -> {
                    ServerEndpoint.Stdio process = (ServerEndpoint.Stdio) ready.endpoint();
                    assertThat(process.args()).containsExactly("-value-of-a.b-1-");
                    assertThat(process.env()).isEqualTo(Map.of("X", "value-of-e"));
                    assertThat(process.secrets()).contains("value-of-a.b-1", "value-of-e");
                });
        assertThat(state("\"url\":\"https://h/${secret:u}\",\"headers\":{\"X\":\"${secret:h}\"},"
                        + "\"oauth\":{\"clientId\":\"${secret:i}\",\"clientSecret\":\"${secret:s}\"}"))
                .isInstanceOfSatisfying(ServerState.Ready.class, ready -> {
                    ServerEndpoint.Remote remote =
                            Objects.requireNonNull(ready.endpoint().address());
                    assertThat(remote.uri()).hasToString("https://h/value-of-u");
                    assertThat(remote.headers()).isEqualTo(Map.of("X", "value-of-h"));
                    assertThat(remote.oauth().clientId()).isEqualTo("value-of-i");
                    assertThat(remote.oauth().clientSecret()).isEqualTo("value-of-s");
                    assertThat(remote.secrets()).contains("value-of-u", "value-of-h", "value-of-i", "value-of-s");
                });
    }

    @Test
    void only_secrets_that_the_file_refers_to_are_read_each_once_from_its_store() {
        read("\"command\":\"c\",\"args\":[\"${secret:a}\",\"${secret:a}\",\"$${secret:b}\",\"secret:c\"]");

        assertThat(asked).containsExactly("KEYRING a");
    }

    @Test
    void missing_secret_is_named_with_the_command_that_stores_it() {
        assertThat(state("\"command\":\"c\",\"args\":[\"${secret:none}\",\"${NO}\"]"))
                .isEqualTo(new ServerState.AwaitingConfig(List.of("secret:none", "NO")));

        MissingVariables missing = new MissingVariables(List.of("secret:none", "NO"));
        assertThat(missing.remedy())
                .isEqualTo("`export NO=VALUE` before Fusebox is started sets it, or write ${NO:-default} for a default"
                        + " value; `./fusebox secret set none` stores it");
        assertThat(missing.problem()).isEqualTo("a variable is not set: NO; a secret is not stored: none");
        assertThat(new MissingVariables(List.of("secret:a", "secret:b")).remedyAtRuntime())
                .isEqualTo("`./fusebox secret set a` stores it, `./fusebox secret set b` stores it; a gateway reads"
                        + " secrets when it starts and when its configuration file changes");
    }

    @Test
    void store_that_fails_is_asked_once_and_makes_the_server_faulty() {
        assertThat(state("\"command\":\"c\",\"args\":[\"${secret:locked}\",\"${secret:other}\"]"))
                .isInstanceOfSatisfying(
                        ServerState.Faulty.class,
                        faulty -> assertThat(faulty.problems())
                                .extracting(ConfigProblem::message)
                                .containsExactly(
                                        "refers to the secret locked, which cannot be read: the keyring is locked",
                                        "refers to the secret other, which cannot be read: the keyring is locked"));
        assertThat(asked).containsExactly("KEYRING locked");
    }

    @Test
    void secret_in_arguments_is_warned_of() {
        assertThat(read("\"command\":\"c\",\"args\":[\"${secret:a}\"]").warnings())
                .extracting(ConfigProblem::message)
                .containsExactly("contains a secret from a variable, which every user of this machine can read with"
                        + " `ps`; pass it in \"env\" if the server supports that");
    }
}
