package dev.fusebox.gateway.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class StartLockTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("shared-0123456789abcdef.lock");
    }

    private StartLock taken() throws IOException {
        return Objects.requireNonNull(StartLock.tryTake(file));
    }

    @Test
    void lock_has_one_owner_at_a_time() throws IOException {
        try (StartLock _ = taken()) {
            assertThat(StartLock.tryTake(file)).isNull();
        }
        try (StartLock again = taken()) {
            assertThat(again).isNotNull();
        }
    }

    /// A process that has looked at the file and has opened it, and has not locked it yet.
    private record Waiting(StartLock.Identity seen, FileChannel channel) {}

    private Waiting waitingDuringDeletion() throws IOException {
        try (StartLock owner = taken()) {
            Waiting waiting =
                    new Waiting(StartLock.Identity.of(file), FileChannel.open(file, StandardOpenOption.WRITE));
            owner.delete();
            return waiting;
        }
    }

    @Test
    void lock_that_is_a_link_is_refused() throws IOException {
        Path other = Files.createFile(folder.resolve("other"));
        Files.createSymbolicLink(file, other);
        assertRefused();
        Files.delete(other);
        assertRefused();
        assertThat(other).doesNotExist();
    }

    /// Opening it would block until it has a reader.
    @Test
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void lock_that_is_a_pipe_is_refused() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        assertRefused();
    }

    private void assertRefused() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> StartLock.tryTake(file))
                .withMessage(file + " is not a regular file; remove it");
    }

    @Test
    void file_that_was_opened_and_then_replaced_gives_no_lock() throws IOException {
        Waiting waiting = waitingDuringDeletion();
        try (StartLock _ = taken()) {
            assertThat(StartLock.tryTake(waiting.channel(), file, waiting.seen()))
                    .isNull();
        }
    }

    @Test
    void file_that_was_opened_and_then_deleted_gives_no_lock() throws IOException {
        Waiting waiting = waitingDuringDeletion();
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> StartLock.tryTake(waiting.channel(), file, waiting.seen()));
        try (StartLock next = taken()) {
            assertThat(next).isNotNull();
        }
    }
}
