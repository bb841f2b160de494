package dev.fusebox.gateway.observe;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The log files of gateways.
@Timeout(60)
class LogFileWriterTest {
    private static final LogFileWriter.Limits SMALL = new LogFileWriter.Limits(1_000, 5_000, 100);

    /// Greater than all process ids.
    private static final long NO_PROCESS = 99_999_999;

    @TempDir
    private Path home;

    private LogFolder folder() {
        return new LogFolder(home.resolve("log"));
    }

    private LogFileWriter files(LogFileWriter.Limits limits) {
        return LogFileWriter.in(Platform.system(), folder(), limits, UnaryOperator.identity());
    }

    private List<Path> paths() throws IOException {
        try (Stream<Path> files = Files.list(folder().path())) {
            return files.sorted().toList();
        }
    }

    private long bytes() throws IOException {
        long bytes = 0;
        for (Path each : paths()) {
            bytes += Files.size(each);
        }
        return bytes;
    }

    private Path ended(long pid, int number, int bytes) throws IOException {
        Files.createDirectories(folder().path());
        String name = LogFile.name("2026-01-01T00:00:%02dZ".formatted(number), pid);
        Path file = Files.write(folder().path().resolve(name), new byte[bytes]);
        return Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L + number * 1_000L));
    }

    @Test
    void lines_are_written_in_order_to_an_owner_only_file_of_the_gateway() throws IOException {
        try (LogFileWriter files = files(LogFileWriter.Limits.USUAL)) {
            files.write("one");
            files.write("two");
        }
        LogFolder.Log log = folder().logs().getLast();
        assertThat(log.lines()).containsExactly("one", "two");
        assertThat(log.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(log.started()).matches("\\d{8}T\\d{6}Z");
        assertThat(Files.getPosixFilePermissions(folder().path()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getPosixFilePermissions(log.parts().getFirst()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void secrets_are_removed_before_a_line_is_written() throws IOException {
        try (LogFileWriter files = LogFileWriter.in(
                Platform.system(), folder(), LogFileWriter.Limits.USUAL, line -> line.replace("s3cret", "***"))) {
            files.write("token s3cret");
        }
        assertThat(folder().logs().getLast().lines()).containsExactly("token ***");
    }

    @Test
    void verbose_gateway_keeps_its_newest_lines_in_bounded_files() throws IOException {
        for (int i = 0; i < 100; i++) {
            String line = "line " + i + " " + "x".repeat(100);
            // One at a time, so that none is dropped.
            write(line);
        }
        List<String> lines = folder().logs().getLast().lines();
        assertThat(lines).last().asString().startsWith("line 99 ");
        assertThat(lines).hasSizeBetween(30, 50).isSortedAccordingTo((a, b) -> number(a) - number(b));
        assertThat(bytes()).isLessThanOrEqualTo(5_000 + 1_000);
        assertThat(paths()).allSatisfy(file -> assertThat(Files.size(file)).isLessThanOrEqualTo(1_000));
    }

    /// Writes into one log after the other.
    private @Nullable LogFileWriter one;

    private LogFileWriter one() {
        LogFileWriter known = one == null ? files(SMALL) : one;
        one = known;
        return known;
    }

    /// The lines of the newest log.
    private List<String> written() {
        try {
            List<LogFolder.Log> logs = folder().logs();
            return logs.isEmpty() ? List.of() : logs.getLast().lines();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void write(String line) {
        one().write(line);
        eventually("the line is written", () -> assertThat(written()).last().isEqualTo(line));
    }

    @AfterEach
    void end() {
        if (one != null) {
            one.close();
        }
    }

    private static int number(String line) {
        return Integer.parseInt(line.split(" ", 3)[1]);
    }

    @Test
    void oldest_logs_are_deleted_except_those_of_running_gateways() throws IOException {
        long running = ProcessHandle.current().pid();
        Path oldest = ended(running, 1, 3_000);
        Path older = ended(NO_PROCESS, 2, 3_000);
        Path newer = ended(NO_PROCESS, 3, 1_500);
        folder().prune(5_000, 100, pid -> pid == running);
        assertThat(oldest).exists();
        assertThat(older).doesNotExist();
        assertThat(newer).exists();
    }

    @Test
    void number_of_files_is_bounded() throws IOException {
        for (int i = 0; i < 20; i++) {
            ended(NO_PROCESS, i, 1);
        }
        folder().prune(5_000, 5, pid -> false);
        assertThat(paths()).hasSize(5).last().asString().contains("T000019Z");
    }

    @Test
    void foreign_files_in_the_folder_are_neither_read_nor_deleted() throws IOException {
        ended(NO_PROCESS, 1, 10);
        Path foreign = Files.write(folder().path().resolve("notes.txt"), new byte[9_000]);
        folder().prune(0, 0, pid -> false);
        assertThat(paths()).containsExactly(foreign);
        assertThat(folder().logs()).isEmpty();
    }

    @Test
    void file_deleted_while_in_use_is_created_again() throws IOException {
        write("one");
        Files.delete(paths().getFirst());
        write("two");
        assertThat(folder().logs().getLast().lines()).containsExactly("two");
    }

    @Test
    void lines_are_dropped_while_no_file_can_be_created_and_written_later() throws IOException {
        Files.writeString(home.resolve("log"), "in the way");
        try (LogFileWriter files = files(LogFileWriter.Limits.USUAL)) {
            for (int i = 0; i < 5_000; i++) {
                files.write("lost");
            }
            Files.delete(home.resolve("log"));
            eventually("lines are written", () -> {
                files.write("kept");
                assertThat(written()).isNotEmpty();
            });
        }
        assertThat(folder().logs().getLast().lines().getFirst()).endsWith("lines omitted)");
    }

    @Test
    void symbolic_link_in_place_of_the_log_file_is_not_followed() throws IOException {
        Path victim = Files.writeString(home.resolve("victim"), "mine");
        write("one");
        Path file = paths().getFirst();
        Files.delete(file);
        Files.createSymbolicLink(file, victim);
        one().write("two");
        one().close();
        assertThat(victim).hasContent("mine");
    }

    @Test
    void log_of_earlier_versions_is_read_and_deleted_first() throws IOException {
        Files.createDirectories(folder().path());
        Path before = Files.writeString(folder().path().resolve("gateway.log"), "old\n");
        assertThat(folder().logs().getFirst().lines()).containsExactly("old");
        assertThat(folder().logs().getFirst().pid()).isZero();
        folder().prune(0, 100, pid -> true);
        assertThat(before).doesNotExist();
    }
}
