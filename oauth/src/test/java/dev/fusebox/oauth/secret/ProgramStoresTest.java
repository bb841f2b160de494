package dev.fusebox.oauth.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Secrets that other programs store. The programs are shell scripts with the interface of the real ones.
@Tag("process")
class ProgramStoresTest {
    private static final byte[] VALUE = "s3cr3t \0 value\n".getBytes(UTF_8);

    private static final String KEYRING = """
            #!/bin/sh
            echo "$*" >> BASE/arguments
            cd BASE
            case "$1" in
              store) cat > item ;;
              lookup) test -f item || exit 1; cat item ;;
              clear) test -f item || exit 1; rm item ;;
            esac
            """;

    private static final String MAC = """
            #!/bin/sh
            echo "$*" >> BASE/arguments
            cd BASE
            case "$1" in
              -i) read command; echo "${command##* }" > item ;;
              find-generic-password) test -f item || exit 44; cat item ;;
              delete-generic-password) test -f item || exit 44; rm item ;;
            esac
            """;

    private static final String OWN = """
            #!/bin/sh
            echo "$*" >> BASE/arguments
            IFS= read -r name
            case "$2" in
              get) test -f "BASE/${name#name=}" || exit 1; echo note; cat "BASE/${name#name=}" ;;
              store) IFS= read -r value; echo "$value" > "BASE/${name#name=}" ;;
              erase) test -f "BASE/${name#name=}" || exit 1; rm "BASE/${name#name=}" ;;
            esac
            """;

    @TempDir
    private Path base;

    private Path program(String name, String script) throws IOException {
        Path program = Files.writeString(base.resolve(name), script.replace("BASE", base.toString()));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return program;
    }

    private Platform platform() {
        return Platform.system()
                .withEnvironment(
                        Map.of("PATH", base + ":/usr/local/bin:/usr/bin:/bin", "OTHER_SECRET", "s3cr3t-other"));
    }

    private SecretStore keyring(String name, String script, boolean isMac) throws IOException {
        program(name, script);
        return KeyringSecretStore.of(platform(), base.resolve("index"), isMac);
    }

    private SecretStore own(String script) throws IOException {
        return new CommandSecretStore(
                platform(), List.of(program("own", script).toString(), "--vault"), base.resolve("index"));
    }

    private void storesAndRemoves(SecretStore store) throws IOException {
        assertThat(store.read("a.b")).isNull();
        assertThat(store.remove("a.b")).isFalse();

        store.write("a.b", VALUE);

        assertThat(store.read("a.b")).isEqualTo(VALUE);
        assertThat(store.names()).containsExactly("a.b");
        assertThat(store.remove("a.b")).isTrue();
        assertThat(store.read("a.b")).isNull();
        assertThat(store.names()).isEmpty();
        assertThat(base.resolve("arguments")).content().doesNotContain("czNjcjN0", "s3cr3t");
    }

    @Test
    void keyring_of_linux_stores_and_removes() throws IOException {
        storesAndRemoves(keyring("secret-tool", KEYRING, false));

        assertThat(base.resolve("arguments"))
                .content()
                .contains(
                        "store --label=Fusebox a.b application fusebox name a.b",
                        "lookup application fusebox name a.b",
                        "clear application fusebox name a.b");
    }

    @Test
    void keyring_of_macos_stores_and_removes() throws IOException {
        storesAndRemoves(keyring("security", MAC, true));
    }

    @Test
    void program_of_the_operator_stores_and_removes() throws IOException {
        storesAndRemoves(own(OWN));

        assertThat(base.resolve("arguments")).content().contains("--vault get\n", "--vault store\n", "--vault erase\n");
    }

    @Test
    void locked_keyring_is_a_failure_and_no_missing_secret() throws IOException {
        SecretStore store =
                keyring("secret-tool", "#!/bin/sh\necho 'secret-tool: Cannot unlock an object' >&2\nexit 1\n", false);

        assertThatThrownBy(() -> store.read("a"))
                .isInstanceOf(IOException.class)
                .hasMessage("the program secret-tool of the secret store failed with exit status 1: secret-tool:"
                        + " Cannot unlock an object");
    }

    @Test
    void missing_keyring_program_is_named() {
        SecretStore store = KeyringSecretStore.of(
                Platform.system().withEnvironment(Map.of("PATH", base.toString())), base.resolve("index"), false);

        assertThatThrownBy(() -> store.read("a"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the program secret-tool of the secret store failed: ")
                .hasMessageContaining("libsecret-tools");
    }

    @Test
    void keyring_that_stores_nothing_is_noticed() throws IOException {
        SecretStore store = keyring("security", "#!/bin/sh\ntest \"$1\" = -i || exit 44\n", true);

        assertThatThrownBy(() -> store.write("a", VALUE))
                .isInstanceOf(IOException.class)
                .hasMessage("the keyring has not stored the secret a");
    }

    @Test
    void secret_that_the_keyring_would_cut_off_is_refused() throws IOException {
        SecretStore store = keyring("secret-tool", KEYRING, false);

        store.write("a", new byte[6_141]);
        assertThat(store.read("a")).hasSize(6_141);
        assertThatThrownBy(() -> store.write("a", new byte[6_142]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the keyring takes at most 6141 bytes");
    }

    @Test
    void failing_program_is_reported_with_its_last_line_and_without_the_secret() throws IOException {
        SecretStore store = own("#!/bin/sh\nread name; read value\necho first >&2\necho \"no $value\" >&2\nexit 3\n");

        assertThatThrownBy(() -> store.write("a", "a long secret".getBytes(UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("of the secret store failed with exit status 3: no value=***");
    }

    @Test
    void answer_without_a_value_is_refused() throws IOException {
        for (String answer : List.of("", "value=", "value=s3cr3t!", "VALUE=AAAA")) {
            SecretStore store = own("#!/bin/sh\necho '" + answer + "'\n");
            assertThatThrownBy(() -> store.read("a"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("printed no line value=BASE64")
                    .hasNoCause();
        }
    }

    @Test
    void endless_answer_is_refused() throws IOException {
        SecretStore store = own("#!/bin/sh\nexec yes\n");

        assertThatThrownBy(() -> store.read("a"))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("printed more than 1048576 bytes");
    }

    @Test
    void program_has_no_other_secrets_in_its_environment() throws IOException {
        SecretStore store = own("#!/bin/sh\nenv > " + base.resolve("env") + "\nexit 1\n");

        assertThat(store.read("a")).isNull();
        assertThat(base.resolve("env")).content().contains("PATH=").doesNotContain("OTHER_SECRET");
    }
}
