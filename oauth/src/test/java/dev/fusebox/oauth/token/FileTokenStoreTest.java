package dev.fusebox.oauth.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FileTokenStoreTest {
    @TempDir
    private Path folder;

    private FileTokenStore store;

    @BeforeEach
    void open() {
        store = new FileTokenStore(folder.resolve("tokens"));
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("tokens"))) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    static List<TokenState> states() {
        return List.of(
                new TokenState.Ready(),
                new TokenState.Refreshing(Records.NOW, "process 1", 2, 1, 1),
                new TokenState.Waiting(
                        new RefreshFailure(RefreshFailure.Kind.NO_ANSWER, "reset"),
                        3,
                        Records.NOW.plusSeconds(4),
                        1,
                        2),
                new TokenState.Rejected("over", Records.NOW));
    }

    @ParameterizedTest
    @MethodSource("states")
    void record_is_read_as_it_was_written(TokenState state) throws IOException {
        TokenRecord written = Records.ready().in(state);
        store.write(written);
        assertThat(store.read(Records.KEY)).isEqualTo(written);
        assertThat(store.all()).containsExactly(written);
        assertThat(Files.getPosixFilePermissions(file())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void intent_reserves_space_for_its_result() throws IOException {
        TokenState intent = new TokenState.Refreshing(Records.NOW, "process 1", 0, 0, 0);
        store.write(Records.ready());
        Path reserve = file().resolveSibling(Records.KEY.hash() + ".reserve");
        assertThat(reserve).doesNotExist();
        store.write(Records.ready().in(intent));
        assertThat(Files.size(reserve)).isGreaterThan(3 * Files.size(file()));
        assertThat(store.all()).hasSize(1);
        store.write(Records.ready());
        assertThat(reserve).doesNotExist();
        store.write(Records.ready().in(intent));
        store.remove(Records.KEY);
        assertThat(reserve).doesNotExist();
    }

    @Test
    void removed_record_is_gone() throws IOException {
        store.write(Records.ready());
        store.remove(Records.KEY);
        store.remove(Records.KEY);
        assertThat(store.read(Records.KEY)).isNull();
        assertThat(store.all()).isEmpty();
    }

    @Test
    void store_without_folder_is_empty() throws IOException {
        assertThat(store.all()).isEmpty();
        assertThat(store.read(Records.KEY)).isNull();
    }

    @Test
    void file_that_others_can_read_is_refused_with_the_remedy() throws IOException {
        store.write(Records.ready());
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> store.read(Records.KEY))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("can be used by other users (rw-r-----)")
                .hasMessageContaining("chmod 600");
        assertThat(store.all()).isEmpty();
    }

    @Test
    void symbolic_link_is_refused() throws IOException {
        store.write(Records.ready());
        Path elsewhere = Files.move(file(), folder.resolve("elsewhere"));
        store.write(Records.ready());
        Path file = file();
        Files.delete(file);
        Files.createSymbolicLink(file, elsewhere);
        assertThatThrownBy(() -> store.read(Records.KEY)).isInstanceOf(IOException.class);
    }

    @Test
    void damaged_file_is_refused_without_its_content() throws IOException {
        store.write(Records.ready());
        Files.write(file(), "{\"format\":1,\"secret\":\"do-not-show\"}".getBytes(UTF_8));
        assertThatThrownBy(() -> store.read(Records.KEY))
                .hasMessageContaining("is damaged")
                .hasMessageNotContaining("do-not-show");
    }

    @Test
    void record_of_another_key_is_refused() throws IOException {
        store.write(Records.ready());
        String other = Files.readString(file()).replace("issuer.example", "other.example");
        Files.write(file(), other.getBytes(UTF_8));
        assertThatThrownBy(() -> store.read(Records.KEY)).hasMessageContaining("another login");
    }

    @Test
    void lock_is_held_by_one_and_free_after_its_end() throws IOException {
        FileTokenStore other = new FileTokenStore(folder.resolve("tokens"));
        try (TokenStore.Lock lock = store.tryLock(Records.KEY)) {
            assertThat(lock).isNotNull();
            assertThat(store.tryLock(Records.KEY)).isNull();
            assertThat(other.tryLock(Records.KEY)).isNull();
        }
        try (TokenStore.Lock lock = other.tryLock(Records.KEY)) {
            assertThat(lock).isNotNull();
        }
    }
}
