package dev.fusebox.gateway.cache;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.observe.CapturedLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The cache when the disk fails, or its writer is killed.
@Tag("process")
@Timeout(120)
class CacheDiskTest extends WithCacheFolder {
    private static final byte[] OLD_AND_SHORT = "old".getBytes(UTF_8);

    /// F71
    @Test
    void full_disk_keeps_the_old_file_and_is_logged_once() throws Exception {
        try (SmallDisk disk = SmallDisk.at(home.resolve("disk"));
                CapturedLog log = CapturedLog.of(SchemaCache.class)) {
            CacheFolder full = new CacheFolder(disk.place().resolve("cache"));
            full.write("here\njira", OLD_AND_SHORT);
            disk.fill();
            try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, full.path(), "here")) {
                for (int i = 0; i < 20; i++) {
                    cache.keep("jira", "new" + "x".repeat(SmallDisk.TOO_MUCH));
                    cache.keep("wiki" + i, "new");
                }
                eventually(
                        "a log line is written", () -> assertThat(log.lines()).isNotEmpty());
            }
            eventually(
                    "no temporary file is left",
                    () -> assertThat(count(full.path())).isEqualTo(1));
            assertThat(log.lines()).hasSize(1);
            assertThat(full.read("here\njira")).isEqualTo(OLD_AND_SHORT);
        }
    }

    private static int count(Path folder) {
        return Objects.requireNonNull(folder.toFile().list()).length;
    }

    /// F71
    @Test
    void read_only_disk_is_still_read() throws Exception {
        try (SmallDisk disk = SmallDisk.at(home.resolve("disk"));
                CapturedLog log = CapturedLog.of(SchemaCache.class)) {
            Path cold = disk.place().resolve("cache");
            new CacheFolder(cold).write("here\njira", OLD_AND_SHORT);
            disk.freeze();
            try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, cold, "here")) {
                cache.keep("jira", "new");
                cache.keep("wiki", "new");
                assertThat(cache.load("jira")).isEqualTo(OLD_AND_SHORT);
                eventually(
                        "a log line is written", () -> assertThat(log.lines()).isNotEmpty());
            }
            assertThat(log.lines()).hasSize(1);
            assertThat(new CacheFolder(cold).read("here\njira")).isEqualTo(OLD_AND_SHORT);
        }
    }

    /// F71, for users who may not mount a disk: the operating system limits the file size.
    @Test
    void file_size_limit_keeps_the_old_file() throws Exception {
        folder.write("jira", OLD_AND_SHORT);
        List<String> words = new ArrayList<>(List.of("sh", "-c", "ulimit -f 16; exec \"$@\"", "sh"));
        words.addAll(Writer.command(path));
        words.add(5, "-XX:-UsePerfData");
        Process writer = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(writer.getInputStream().readAllBytes(), UTF_8);
        assertThat(writer.waitFor()).as(said).isNotZero();
        assertThat(said).contains("IOException").contains("too large");
        assertThat(folder.read("jira")).isEqualTo(OLD_AND_SHORT);
        assertThat(files()).hasSize(1);
    }

    /// F72: killed at any moment, the file is the old or the new one, and the next start finds no leftovers.
    @Test
    @Timeout(3_600)
    void killed_writer_leaves_a_complete_file_and_no_leftovers() throws Exception {
        int kills = Integer.getInteger("kills", 6);
        long seed = Long.getLong("fusebox.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        int litter = 0;
        for (int kill = 0; kill < kills; kill++) {
            Process writer = new ProcessBuilder(Writer.command(path)).start();
            try (InputStream said = writer.getInputStream()) {
                assertThat(said.read()).isEqualTo('.');
                throughout("the writer writes", Duration.ofNanos(random.nextLong(20_000_000)), writer::isAlive);
            } finally {
                writer.destroyForcibly();
            }
            writer.onExit().get();
            litter += files().size() - 1;
            assertThat(folder.read("jira")).as("kill %d, seed %d", kill, seed).isIn(OLD, NEW);
            folder.sweep(Instant.now());
            assertThat(files()).as("kill %d, seed %d", kill, seed).hasSize(1);
        }
        System.out.printf("figures: %d kills of a writer left %d drafts, all swept%n", kills, litter);
    }

    /// F71: a failure of the disk at the last moment, as when it breaks.
    @ParameterizedTest
    @ValueSource(strings = {"fsync,fdatasync", "rename,renameat,renameat2"})
    void disk_error_keeps_the_old_file(String calls) throws Exception {
        assumeTrue(isThere("strace"), "skipped: strace does not work here");
        folder.write("jira", OLD_AND_SHORT);
        List<String> words = new ArrayList<>(List.of("strace", "-f", "-o/dev/null", "-etrace=" + calls));
        words.add("-einject=" + calls + ":error=EIO");
        words.addAll(Writer.command(path));
        Process writer = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(writer.getInputStream().readAllBytes(), UTF_8);
        assertThat(writer.waitFor()).as(said).isNotZero();
        assertThat(said).contains("Input/output error");
        assertThat(folder.read("jira")).isEqualTo(OLD_AND_SHORT);
        assertThat(files()).hasSize(1);
    }

    private static boolean isThere(String tracer) throws InterruptedException {
        try {
            return new ProcessBuilder(tracer, "-o/dev/null", "true").start().waitFor() == 0;
        } catch (IOException none) {
            return false;
        }
    }

    /// Writes until it is killed, or its output is closed.
    static final class Writer {
        private Writer() {}

        static List<String> command(Path folder) {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            String paths = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            String modules = System.getProperty("jdk.module.path", "");
            return List.of(
                    java,
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    paths + ":" + modules + ":target/classes:target/test-classes",
                    Writer.class.getName(),
                    folder.toString());
        }

        public static void main(String[] words) throws IOException {
            CacheFolder folder = new CacheFolder(Path.of(words[0]));
            while (!System.out.checkError()) {
                folder.write("jira", OLD);
                folder.write("jira", NEW);
                System.out.print('.');
            }
        }
    }
}
