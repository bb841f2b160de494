package dev.fusebox.gateway.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.session.HmacSigner;
import dev.fusebox.platform.SecretIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The key that all gateways of a user share.
class TaskKeyTest {
    @TempDir
    private Path home;

    private Path file() {
        return home.resolve("keys").resolve("tasks");
    }

    private byte[] load() {
        return new TaskKey(file()).load(SecretIds.system());
    }

    @Test
    void key_is_created_once_and_only_its_user_can_read_it() throws IOException {
        byte[] first = load();
        assertThat(load()).isEqualTo(first).hasSize(HmacSigner.KEY_BYTES);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().resolveSibling(""))))
                .isEqualTo("rwx------");
    }

    @Test
    void gateways_that_start_together_get_the_same_key() throws Exception {
        Callable<byte[]> start = this::load;
        try (ExecutorService gateways = Executors.newFixedThreadPool(8)) {
            List<Future<byte[]>> keys =
                    gateways.invokeAll(Stream.generate(() -> start).limit(32).toList());
            byte[] last = load();
            for (Future<byte[]> key : keys) {
                assertThat(key.get()).isEqualTo(last);
            }
        }
        try (Stream<Path> left = Files.list(file().resolveSibling(""))) {
            assertThat(left).containsExactly(file());
        }
    }

    @Test
    void file_that_is_no_key_is_kept_and_another_key_is_used() throws IOException {
        load();
        Files.writeString(file(), "too short");
        assertThat(load()).hasSize(HmacSigner.KEY_BYTES).isNotEqualTo(load());
        assertThat(file()).hasContent("too short");
    }

    @Test
    void gateway_without_a_home_has_a_key() {
        assertThat(TaskKey.OF_THIS_RUN.load(SecretIds.system())).hasSize(HmacSigner.KEY_BYTES);
    }
}
