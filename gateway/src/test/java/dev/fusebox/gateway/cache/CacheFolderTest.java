package dev.fusebox.gateway.cache;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.gateway.era.Gate;
import dev.fusebox.gateway.observe.CapturedLog;
import dev.fusebox.platform.Platform;
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

/// Files of the cache are whole or not there, and nobody else can look into them.
@Timeout(120)
class CacheFolderTest extends WithCacheFolder {
    @Test
    void what_is_written_is_read_again_and_belongs_to_its_owner_alone() throws IOException {
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
    void a_folder_that_others_may_enter_is_closed_to_them() throws IOException {
        Files.createDirectory(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        folder.write("jira", OLD);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rwx------");
    }

    @Test
    void what_is_the_same_is_not_written_again() throws IOException {
        folder.write("jira", OLD);
        Path file = files().getFirst();
        FileTime before = FileTime.fromMillis(1_000);
        Files.setLastModifiedTime(file, before);
        folder.write("jira", OLD);
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(before);
        folder.write("jira", NEW);
        assertThat(Files.getLastModifiedTime(file)).isNotEqualTo(before);
    }

    /// A reading may end late, when the folder is gone or another gateway's.
    @Test
    void what_is_kept_after_the_end_is_not_written() throws IOException {
        SchemaCache cache = new SchemaCache(Gate.PLATFORM, path, "here");
        cache.keep("jira", "{}");
        cache.close();
        List<Path> written = files();
        assertThat(written).isNotEmpty();
        cache.keep("wiki", "{}");
        throughout(
                "nothing more is written",
                Duration.ofMillis(300),
                () -> assertThat(path.toFile().list()).hasSize(written.size()));
        cache.close();
    }

    @Test
    void a_folder_that_is_a_link_or_a_file_is_not_written_through() throws IOException {
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
    void what_cannot_be_written_leaves_the_old_file_as_it_was() throws IOException {
        folder.write("jira", OLD);
        assertThatThrownBy(() -> folder.write("jira", new byte[PrivateFile.LONGEST + 1]))
                .isInstanceOf(IOException.class);
        assertThat(folder.read("jira")).isEqualTo(OLD);
        // A folder cannot be replaced by a file: the last step fails, after all has been written beside it.
        folder.write("wiki", OLD);
        Path file = files().stream()
                .filter(each -> !Objects.equals(each, fileOf("jira")))
                .findFirst()
                .orElseThrow();
        Files.delete(file);
        Files.createDirectories(file.resolve("full"));
        assertThatThrownBy(() -> folder.write("wiki", NEW)).isInstanceOf(IOException.class);
        assertThat(files()).as("nothing is left lying about").hasSize(2);
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
    void what_a_writer_may_still_be_writing_is_left_to_it_whoever_it_is() throws IOException {
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
    void two_gateways_may_share_it_and_a_reader_never_finds_half_a_file() throws Exception {
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
    void of_too_many_files_the_oldest_go() throws IOException {
        folder.write("young", NEW);
        for (int i = 0; i < CacheFolder.MOST + 5; i++) {
            Path file = Files.writeString(path.resolve(String.format("%064x.json", i)), "{}");
            Files.setLastModifiedTime(file, FileTime.fromMillis(1_000L * (i + 1)));
        }
        folder.sweep(Instant.now());
        assertThat(files()).hasSize(CacheFolder.MOST);
        assertThat(folder.read("young")).isEqualTo(NEW);
        assertThat(path.resolve(String.format("%064x.json", 5))).doesNotExist();
        assertThat(path.resolve(String.format("%064x.json", 6))).exists();
    }

    @Test
    void clearing_removes_what_is_wanted_and_whatever_stands_in_its_place() throws Exception {
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

    /// In the place of a file: a folder that is not empty cannot be removed.
    private Path stuck(String name) throws IOException {
        Path stuck = path.resolve(name);
        Files.createDirectories(stuck.resolve("full"));
        Files.setLastModifiedTime(stuck, FileTime.fromMillis(1_000));
        return stuck;
    }

    @Test
    void what_cannot_be_removed_keeps_nothing_else_and_is_told() throws IOException {
        folder.write("jira", OLD);
        Path first = stuck("0".repeat(64) + ".json");
        Path last = stuck("f".repeat(64) + ".json");
        assertThatThrownBy(() -> folder.clear(content -> true))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("of 3 files only 1");
        assertThat(files()).containsExactlyInAnyOrder(first, last);
    }

    @Test
    void litter_that_cannot_be_removed_keeps_nothing_from_being_read() throws IOException {
        try (CapturedLog log = CapturedLog.of(SchemaCache.class)) {
            try (SchemaCache cache = new SchemaCache(Gate.PLATFORM, path, "here")) {
                cache.keep("jira", "one");
            }
            List<Path> stuck = List.of(stuck(".1-a.tmp"), stuck(".1-z.tmp"));
            Path litter = Files.writeString(path.resolve(".1-m.tmp"), "half");
            Files.setLastModifiedTime(litter, FileTime.fromMillis(1_000));
            try (SchemaCache cache = new SchemaCache(Gate.PLATFORM, path, "here")) {
                assertThat(cache.recall("jira")).isEqualTo("one".getBytes(UTF_8));
                assertThat(cache.recall("jira")).isNotNull();
            }
            assertThat(log.lines()).hasSize(1);
            assertThat(files()).containsAll(stuck).doesNotContain(litter);
        }
    }

    @Test
    void gateways_that_make_the_folder_at_the_same_time_all_have_it() throws Exception {
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
    void what_cannot_be_kept_is_told_once_and_nobody_waits_for_it() throws IOException {
        Files.writeString(path, "no folder");
        try (CapturedLog log = CapturedLog.of(SchemaCache.class)) {
            try (SchemaCache cache = new SchemaCache(Gate.PLATFORM, path, "here")) {
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
    void what_still_cannot_be_kept_is_told_again_after_a_minute() throws IOException {
        Files.writeString(path, "no folder");
        AtomicLong now = new AtomicLong();
        Platform moved = new Platform(
                now::get,
                Gate.PLATFORM.wallClock(),
                Gate.PLATFORM.random(),
                Gate.PLATFORM.timers(),
                Gate.PLATFORM.environment(),
                Gate.PLATFORM.processes(),
                Gate.PLATFORM.peerUsers());
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
    void whatever_ends_the_thread_that_writes_the_next_that_is_kept_is_written() throws Exception {
        Files.writeString(path, "in the way");
        Platform broken = new Platform(
                () -> {
                    throw new StackOverflowError("no clock");
                },
                Gate.PLATFORM.wallClock(),
                Gate.PLATFORM.random(),
                Gate.PLATFORM.timers(),
                Gate.PLATFORM.environment(),
                Gate.PLATFORM.processes(),
                Gate.PLATFORM.peerUsers());
        SchemaCache cache = new SchemaCache(broken, path, "here");
        cache.keep("jira", "one");
        // It cannot be written, and that cannot be told.
        eventually(
                "the thread of the cache has ended",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("fusebox-cache")));
        Files.delete(path);
        cache.keep("jira", "two");
        eventually(
                "the newer catalog of jira is stored",
                () -> assertThat(text(cache.recall("jira"))).isEqualTo("two"));
    }

    @Test
    void what_waits_when_the_thread_that_writes_ends_is_written_by_another() throws Exception {
        Files.writeString(path, "in the way");
        CountDownLatch go = new CountDownLatch(1);
        Platform broken = new Platform(
                () -> {
                    await(go);
                    throw new StackOverflowError("no clock");
                },
                Gate.PLATFORM.wallClock(),
                Gate.PLATFORM.random(),
                Gate.PLATFORM.timers(),
                Gate.PLATFORM.environment(),
                Gate.PLATFORM.processes(),
                Gate.PLATFORM.peerUsers());
        SchemaCache cache = new SchemaCache(broken, path, "here");
        cache.keep("jira", "one");
        eventually("the thread of the cache is waiting", () -> isWaiting("fusebox-cache"));
        Files.delete(path);
        cache.keep("wiki", "two");
        go.countDown();
        eventually(
                "the newer catalog of wiki is stored",
                () -> assertThat(text(cache.recall("wiki"))).isEqualTo("two"));
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
