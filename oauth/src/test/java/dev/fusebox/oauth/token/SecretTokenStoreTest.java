package dev.fusebox.oauth.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.oauth.secret.FileSecretStore;
import dev.fusebox.oauth.secret.SecretStore;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Token records as secrets, here of the secret store in files.
class SecretTokenStoreTest {
    @TempDir
    private Path folder;

    private SecretStore secrets;
    private SecretTokenStore store;

    @BeforeEach
    void open() {
        secrets = new FileSecretStore(Platform.system(), folder.resolve("secrets"));
        store = new SecretTokenStore(secrets, folder.resolve("tokens"), "keyring");
    }

    private String secret() throws IOException {
        return secrets.names().getFirst();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("tokens"))) {
            return files.sorted(Comparator.naturalOrder()).toList();
        }
    }

    @Test
    void record_is_one_secret_and_the_file_beside_it_has_no_token() throws IOException {
        store.write(Records.ready());
        assertThat(store.read(Records.KEY)).isEqualTo(Records.ready());
        assertThat(secrets.names()).singleElement().asString().matches("login-[0-9a-f]{48}");
        assertThat(files())
                .singleElement()
                .satisfies(file -> assertThat(file)
                        .content()
                        .contains("https://issuer.example", "someone")
                        .doesNotContain("access-1", "refresh-1"));
    }

    @Test
    void listed_record_shows_everything_but_the_tokens_without_reading_the_secret() throws IOException {
        store.write(Records.ready());
        boolean _ = secrets.remove(secret());
        TokenRecord listed = store.all().getFirst();
        assertThat(listed.version()).isEqualTo(Records.ready().version());
        assertThat(listed.grant()).isEqualTo(Records.ready().grant());
        assertThat(listed.renewal()).isEqualTo("refresh token");
        assertThat(listed.tokens().isUsable(Records.NOW)).isFalse();
        assertThat(listed.tokens().access()).isEmpty();
    }

    @Test
    void lost_secret_is_no_login() throws IOException {
        store.write(Records.ready());
        boolean _ = secrets.remove(secret());
        assertThat(store.read(Records.KEY)).isNull();
    }

    @Test
    void damaged_secret_is_no_login_and_the_next_login_replaces_it() throws IOException {
        store.write(Records.ready());
        for (String content : List.of("{", "{}", "{\"format\":1}", "text")) {
            secrets.write(secret(), content.getBytes(UTF_8));
            assertThat(store.read(Records.KEY)).isNull();
        }
        store.write(Records.ready());
        assertThat(store.read(Records.KEY)).isEqualTo(Records.ready());
    }

    @Test
    void secret_of_a_later_version_is_kept() throws IOException {
        store.write(Records.ready());
        String later =
                new String(TokenRecordJson.write(Records.ready()), UTF_8).replace("\"format\":2", "\"format\":3");
        secrets.write(secret(), later.getBytes(UTF_8));
        assertThatThrownBy(() -> store.read(Records.KEY))
                .isInstanceOf(KeyringException.class)
                .hasMessageContaining("written by a later version");
    }

    @Test
    void record_of_another_login_is_not_used() throws IOException {
        store.write(Records.ready());
        String other = new String(TokenRecordJson.write(Records.ready()), UTF_8).replace("server.example", "a.example");
        secrets.write(secret(), other.getBytes(UTF_8));
        assertThat(store.read(Records.KEY)).isNull();
    }

    @Test
    void removed_record_leaves_nothing() throws IOException {
        store.write(Records.ready());
        store.remove(Records.KEY);
        store.remove(Records.KEY);
        assertThat(store.all()).isEmpty();
        assertThat(secrets.names()).isEmpty();
        assertThat(files()).isEmpty();
    }

    @Test
    void record_that_is_too_large_for_a_secret_is_refused_with_the_remedy() {
        TokenRecord ready = Records.ready();
        Tokens large = new Tokens(
                "x".repeat(SecretStore.MAX_BYTES),
                null,
                Records.NOW,
                null,
                ready.tokens().scopes());
        TokenRecord tooLarge = new TokenRecord(ready.key(), 1, ready.grant(), large, ready.state());
        assertThatThrownBy(() -> store.write(tooLarge))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("\"store\": \"file\"");
    }

    @Test
    void stores_of_different_kinds_share_locks_and_nothing_else() throws IOException {
        List<TokenStore> others = new ArrayList<>();
        others.add(new FileTokenStore(folder.resolve("tokens")));
        others.add(new SecretTokenStore(secrets, folder.resolve("tokens"), "command"));
        store.write(Records.ready());
        try (TokenStore.Lock _ = store.tryLock(Records.KEY)) {
            for (TokenStore other : others) {
                assertThat(other.all()).isEmpty();
                assertThat(other.tryLock(Records.KEY)).isNull();
            }
        }
    }
}
