package dev.fusebox.gateway.cache;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.observe.CapturedLog;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.files.PrivateFile;
import dev.fusebox.platform.files.TemporaryFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/// Cache files are complete or absent, and readable by their owner only. Not beside other classes, whose gateways
/// write the same log.
@Isolated
@Timeout(120)
class CacheFolderTest extends WithCacheFolder {
    @Test
    void written_file_is_readable_and_owner_only() throws IOException {
        assertThat(folder.read("jira")).isNull();
        folder.write("jira", OLD);
        folder.write("wiki", NEW);
        assertThat(folder.read("jira")).isEqualTo(OLD);
        assertThat(folder.read("wiki")).isEqualTo(NEW);
        assertThat(files()).hasSize(2).allSatisfy(file -> {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(file.getFileName().toString()).doesNotContain("jira", "wiki");
        });
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rwx------");
    }

    @Test
    void folder_open_to_others_becomes_owner_only() throws IOException {
        Files.createDirectory(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        folder.write("jira", OLD);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rwx------");
    }

    @Test
    void unchanged_content_is_not_written() throws IOException {
        folder.write("jira", OLD);
        Path file = files().getFirst();
        FileTime before = FileTime.fromMillis(1_000);
        Files.setLastModifiedTime(file, before);
        folder.write("jira", OLD);
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(before);
        folder.write("jira", NEW);
        assertThat(Files.getLastModifiedTime(file)).isNotEqualTo(before);
    }

    /// A read may complete late, when the folder is gone or belongs to another gateway.
    @Test
    void write_after_close_is_ignored() throws IOException {
        SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, path, "here");
        cache.keep("jira", "{}");
        cache.close();
        // It has not waited for the write for longer than a second.
        eventually(
                "the pending write is executed",
                () -> assertThat(text(cache.load("jira"))).isEqualTo("{}"));
        List<Path> written = files();
        assertThat(written).hasSize(1);
        cache.keep("wiki", "{}");
        throughout(
                "nothing more is written",
                Duration.ofMillis(300),
                () -> assertThat(path.toFile().list()).hasSize(written.size()));
        cache.close();
    }

    @Test
    void link_or_file_in_place_of_the_folder_is_not_followed() throws IOException {
        Path elsewhere = Files.createDirectory(home.resolve("elsewhere"));
        Files.createSymbolicLink(path, elsewhere);
        assertThatThrownBy(() -> folder.write("jira", OLD)).isInstanceOf(IOException.class);
        Files.delete(path);
        Files.writeString(path, "a file");
        assertThatThrownBy(() -> folder.write("jira", OLD)).isInstanceOf(IOException.class);
        assertThat(folder.read("jira")).isNull();
        assertThat(elsewhere).isEmptyDirectory();
    }

    /// F71
    @Test
    void failed_write_keeps_the_old_file() throws IOException {
        folder.write("jira", OLD);
        assertThatThrownBy(() -> folder.write("jira", new byte[PrivateFile.MAX_LENGTH + 1]))
                .isInstanceOf(IOException.class);
        assertThat(folder.read("jira")).isEqualTo(OLD);
        // A folder cannot be replaced by a file: the last step fails, after the temporary file was written.
        folder.write("wiki", OLD);
        Path file = files().stream()
                .filter(each -> !Objects.equals(each, fileOf("jira")))
                .findFirst()
                .orElseThrow();
        Files.delete(file);
        Files.createDirectories(file.resolve("full"));
        assertThatThrownBy(() -> folder.write("wiki", NEW)).isInstanceOf(IOException.class);
        assertThat(files()).as("no temporary file is left").hasSize(2);
    }

    private Path fileOf(String identity) {
        CacheFolder other = new CacheFolder(home.resolve("other"));
        try {
            other.write(identity, OLD);
            try (Stream<Path> files = Files.list(other.path())) {
                return path.resolve(files.findFirst().orElseThrow().getFileName());
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void temporary_file_of_a_possible_writer_is_kept() throws IOException {
        folder.write("jira", OLD);
        Instant before = Instant.now().minus(Duration.ofHours(2));
        Path theirs = Files.writeString(path.resolve(".999999999-1.tmp"), "half");
        Path left = Files.writeString(path.resolve("." + ProcessHandle.current().pid() + "-1.tmp"), "half");
        Path other = Files.writeString(path.resolve("notes.txt"), "somebody's");
        Files.setLastModifiedTime(left, FileTime.from(before));
        Files.setLastModifiedTime(other, FileTime.from(before));
        folder.sweep(Instant.now());
        assertThat(theirs).exists();
        assertThat(other).exists();
        assertThat(left).doesNotExist();
        Path mine = TemporaryFile.begin(path);
        folder.sweep(Instant.now());
        assertThat(mine).exists();
    }

    /// F73
    @Test
    void readers_never_see_partial_files_of_concurrent_writers() throws Exception {
        folder.write("jira", OLD);
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> writers = new ArrayList<>();
        for (byte[] content : List.of(OLD, NEW)) {
            writers.add(Thread.ofVirtual().start(() -> {
                CacheFolder own = new CacheFolder(path);
                while (!over.get()) {
                    unchecked(() -> own.write("jira", content));
                }
            }));
        }
        try {
            IntStream.range(0, 100)
                    .forEach(
                            i -> unchecked(() -> assertThat(folder.read("jira")).isIn(OLD, NEW)));
        } finally {
            over.set(true);
        }
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(files()).hasSize(1);
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void unchecked(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void oldest_files_are_deleted_above_the_limit() throws IOException {
        folder.write("young", NEW);
        for (int i = 0; i < CacheFolder.MAX + 5; i++) {
            Path file = Files.writeString(path.resolve(String.format("%064x.json", i)), "{}");
            Files.setLastModifiedTime(file, FileTime.fromMillis(1_000L * (i + 1)));
        }
        folder.sweep(Instant.now());
        assertThat(files()).hasSize(CacheFolder.MAX);
        assertThat(folder.read("young")).isEqualTo(NEW);
        assertThat(path.resolve(String.format("%064x.json", 5))).doesNotExist();
        assertThat(path.resolve(String.format("%064x.json", 6))).exists();
    }

    @Test
    void clear_removes_selected_files_and_foreign_entries_in_their_place() throws Exception {
        folder.write("jira", OLD);
        folder.write("wiki", NEW);
        assertThat(folder.clear(content -> content[0] == 'o')).isEqualTo(1);
        assertThat(folder.read("jira")).isNull();
        assertThat(folder.read("wiki")).isEqualTo(NEW);
        Path file = files().getFirst();
        Files.delete(file);
        Files.createSymbolicLink(file, home.resolve("nowhere"));
        assertThat(folder.clear(content -> true)).isEqualTo(1);
        assertThat(Files.exists(file, LinkOption.NOFOLLOW_LINKS)).isFalse();
        assertThat(new CacheFolder(home.resolve("none")).clear(content -> true)).isZero();
    }

    /// In place of a file: a folder that is not empty cannot be deleted.
    private Path stuck(String name) throws IOException {
        Path stuck = path.resolve(name);
        Files.createDirectories(stuck.resolve("full"));
        Files.setLastModifiedTime(stuck, FileTime.fromMillis(1_000));
        return stuck;
    }

    @Test
    void failed_deletion_is_reported_and_others_continue() throws IOException {
        folder.write("jira", OLD);
        Path first = stuck("0".repeat(64) + ".json");
        Path last = stuck("f".repeat(64) + ".json");
        assertThatThrownBy(() -> folder.clear(content -> true))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("deleted only 1 of 3 files");
        assertThat(files()).containsExactlyInAnyOrder(first, last);
    }

    @Test
    void failed_cleanup_does_not_prevent_reading() throws IOException {
        try (CapturedLog log = CapturedLog.of(SchemaCache.class)) {
            try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, path, "here")) {
                cache.keep("jira", "one");
                eventually(
                        "the catalog of jira is stored",
                        () -> unchecked(
                                () -> assertThat(folder.read("here\njira")).isNotNull()));
            }
            List<Path> stuck = List.of(stuck(".1-a.tmp"), stuck(".1-z.tmp"));
            Path litter = Files.writeString(path.resolve(".1-m.tmp"), "half");
            Files.setLastModifiedTime(litter, FileTime.fromMillis(1_000));
            try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, path, "here")) {
                assertThat(cache.load("jira")).isEqualTo("one".getBytes(UTF_8));
                assertThat(cache.load("jira")).isNotNull();
            }
            assertThat(log.lines()).hasSize(1);
            assertThat(files()).containsAll(stuck).doesNotContain(litter);
        }
    }

    @Test
    void concurrent_creation_of_the_folder_succeeds_for_all() throws Exception {
        for (int round = 0; round < 100; round++) {
            CacheFolder shared = new CacheFolder(home.resolve("shared" + round));
            List<CompletableFuture<Void>> writers = List.of("jira", "wiki").stream()
                    .map(name -> CompletableFuture.runAsync(
                            () -> unchecked(() -> shared.write(name, NEW)), Thread::startVirtualThread))
                    .toList();
            writers.forEach(CompletableFuture::join);
        }
    }

    /// F71
    @Test
    void failed_write_is_logged_once_without_blocking() throws IOException {
        Files.writeString(path, "no folder");
        try (CapturedLog log = CapturedLog.of(SchemaCache.class)) {
            try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, path, "here")) {
                cache.keep("jira", "one");
                eventually(
                        "a log line is written", () -> assertThat(log.lines()).isNotEmpty());
                cache.keep("jira", "two");
                cache.keep("wiki", "three");
            }
            assertThat(log.lines()).hasSize(1);
        }
    }

    /// F71
    @Test
    void repeated_write_failure_is_logged_again_after_a_minute() throws IOException {
        Files.writeString(path, "no folder");
        AtomicLong now = new AtomicLong();
        Platform moved = new Platform(
                now::get,
                SingleServerHarness.PLATFORM.wallClock(),
                SingleServerHarness.PLATFORM.random(),
                SingleServerHarness.PLATFORM.timers(),
                SingleServerHarness.PLATFORM.environment(),
                SingleServerHarness.PLATFORM.processes(),
                SingleServerHarness.PLATFORM.peerUsers());
        try (CapturedLog log = CapturedLog.of(SchemaCache.class)) {
            SchemaCache cache = new SchemaCache(moved, path, "here");
            for (int minute = 1; minute <= 3; minute++) {
                int lines = minute;
                cache.keep("jira", "one" + minute);
                eventually(
                        "every log line is written",
                        () -> assertThat(log.lines()).hasSize(lines));
                now.addAndGet(Duration.ofMinutes(1).toNanos());
            }
        }
    }

    @Test
    void write_after_the_writer_thread_died_is_executed() throws Exception {
        Files.writeString(path, "in the way");
        Platform broken = new Platform(
                () -> {
                    throw new StackOverflowError("no clock");
                },
                SingleServerHarness.PLATFORM.wallClock(),
                SingleServerHarness.PLATFORM.random(),
                SingleServerHarness.PLATFORM.timers(),
                SingleServerHarness.PLATFORM.environment(),
                SingleServerHarness.PLATFORM.processes(),
                SingleServerHarness.PLATFORM.peerUsers());
        SchemaCache cache = new SchemaCache(broken, path, "here");
        cache.keep("jira", "one");
        // The write fails, and so does logging.
        eventually(
                "the thread of the cache has ended",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("fusebox-cache")));
        Files.delete(path);
        cache.keep("jira", "two");
        eventually(
                "the newer catalog of jira is stored",
                () -> assertThat(text(cache.load("jira"))).isEqualTo("two"));
    }

    @Test
    void pending_writes_of_an_ended_writer_thread_are_executed() throws Exception {
        Files.writeString(path, "in the way");
        CountDownLatch go = new CountDownLatch(1);
        Platform broken = new Platform(
                () -> {
                    await(go);
                    throw new StackOverflowError("no clock");
                },
                SingleServerHarness.PLATFORM.wallClock(),
                SingleServerHarness.PLATFORM.random(),
                SingleServerHarness.PLATFORM.timers(),
                SingleServerHarness.PLATFORM.environment(),
                SingleServerHarness.PLATFORM.processes(),
                SingleServerHarness.PLATFORM.peerUsers());
        SchemaCache cache = new SchemaCache(broken, path, "here");
        cache.keep("jira", "one");
        eventually("the thread of the cache is waiting", () -> isWaiting("fusebox-cache"));
        Files.delete(path);
        cache.keep("wiki", "two");
        go.countDown();
        eventually(
                "the newer catalog of wiki is stored",
                () -> assertThat(text(cache.load("wiki"))).isEqualTo("two"));
    }

    private static boolean isWaiting(String thread) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(each -> each.getName().equals(thread) && each.getState() == Thread.State.WAITING);
    }

    private static void await(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, UTF_8);
    }
}
