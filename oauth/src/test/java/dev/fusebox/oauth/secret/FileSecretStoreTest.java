package dev.fusebox.oauth.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Secrets in files.
class FileSecretStoreTest {
    private static final byte[] VALUE = "value \0 é".getBytes(UTF_8);

    @TempDir
    private Path base;

    private Path folder = Path.of("");
    private FileSecretStore store = new FileSecretStore(Platform.system(), folder);

    @BeforeEach
    void open() {
        folder = base.resolve("home/secrets");
        store = new FileSecretStore(Platform.system(), folder);
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findFirst().orElseThrow();
        }
    }

    @Test
    void secret_is_read_as_it_was_written() throws IOException {
        assertThat(store.read("A")).isNull();
        assertThat(store.names()).isEmpty();
        assertThat(folder).doesNotExist();

        store.write("b", VALUE);
        store.write("A", new byte[] {1});
        store.write("a", new byte[] {2});
        store.write("a", new byte[] {3});

        assertThat(store.names()).containsExactly("A", "a", "b");
        assertThat(store.read("b")).isEqualTo(VALUE);
        assertThat(store.read("A")).containsExactly(1);
        assertThat(store.read("a")).containsExactly(3);
        assertThat(store.remove("a")).isTrue();
        assertThat(store.remove("a")).isFalse();
        assertThat(store.read("a")).isNull();
    }

    @Test
    void file_and_folder_are_private_and_named_by_a_hash() throws IOException {
        store.write("token", VALUE);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        assertThat(file().getFileName().toString())
                .isEqualTo("3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0.json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a/b",
                "..\0",
                "a b",
                "é",
                "12345678901234567890123456789012345678901234567890123456789012345"
            })
    void odd_names_are_rejected(String name) {
        assertThatThrownBy(() -> store.write(name, VALUE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.read(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65_537})
    void sizes_are_limited(int size) {
        assertThatThrownBy(() -> store.write("a", new byte[size])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void largest_secret_is_stored() throws IOException {
        store.write("a", new byte[65_536]);
        assertThat(store.read("a")).hasSize(65_536);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-"})
    void file_that_others_may_open_is_refused_with_the_remedy(String permissions) throws IOException {
        store.write("a", VALUE);
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(permissions));

        assertThatThrownBy(() -> store.read("a"))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "%s is open to other users (%s); consider the secret known, `chmod go-rwx %s` closes it",
                        file(), permissions, file());

        store.write("a", VALUE);
        assertThat(store.read("a")).isEqualTo(VALUE);
    }

    @Test
    void link_is_refused() throws IOException {
        store.write("a", VALUE);
        Path moved = Files.move(file(), base.resolve("moved"));
        Files.createSymbolicLink(
                folder.resolve("3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0.json"), moved);

        assertThatThrownBy(() -> store.read("token"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not a regular file; remove it and store the secret again");

        store.write("token", VALUE);
        assertThat(store.read("token")).isEqualTo(VALUE);
    }

    @Test
    void file_of_another_secret_is_refused() throws IOException {
        store.write("a", VALUE);
        Files.move(file(), folder.resolve("3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0.json"));

        assertThatThrownBy(() -> store.read("token"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to the secret a and not to token; remove the file");
    }

    @Test
    void folder_that_others_may_write_is_refused() throws IOException {
        store.write("a", VALUE);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwx---"));

        assertThatThrownBy(() -> store.read("a"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder + " is open to other users (rwxrwx---)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{}", "[]", "{\"name\":\"a\",\"value\":\"s3cr3t!\"}", "{\"name\":\"a b\"}", "{\"name\":1}"})
    void spoilt_file_is_refused_without_its_content(String content) throws IOException {
        store.write("a", VALUE);
        Files.writeString(file(), content);

        assertThatThrownBy(() -> store.read("a"))
                .isInstanceOf(IOException.class)
                .hasMessage("%s is not a stored secret; remove the file and store the secret again", file())
                .hasNoCause();
    }

    @Test
    void file_of_a_killed_writer_is_removed_by_the_next_write() throws IOException {
        store.write("a", VALUE);
        Path left = Files.writeString(folder.resolve(".1-0-x.tmp"), "secret");
        Files.setLastModifiedTime(left, FileTime.fromMillis(0));

        store.write("b", VALUE);

        assertThat(left).doesNotExist();
    }
}
