package dev.fusebox.gateway.diary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The files in which lines are kept.
@Timeout(60)
class DiaryFilesTest {
    @TempDir
    private Path home;

    private Path folder() {
        return home.resolve("log");
    }

    private void write(String writer, int lines) throws IOException {
        for (int i = 0; i < lines; i++) {
            // One at a time, so that none is left out.
            try (DiaryFiles files = DiaryFiles.in(World.system(), folder(), 1_000)) {
                files.write(writer + " " + i + " " + "x".repeat(100));
            }
        }
    }

    @Test
    void lines_are_kept_in_order_and_only_their_owner_reads_them() throws IOException {
        try (DiaryFiles files = DiaryFiles.in(World.system(), folder())) {
            files.write("one");
            files.write("two");
        }
        assertThat(DiaryFiles.read(folder())).containsExactly("one", "two");
        assertThat(Files.getPosixFilePermissions(folder())).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getPosixFilePermissions(folder().resolve("gateway.log")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void there_are_five_files_of_bounded_size_and_the_newest_lines_in_them() throws IOException {
        write("old", 100);
        List<String> lines = DiaryFiles.read(folder());
        assertThat(lines).last().asString().startsWith("old 99 ");
        assertThat(lines).hasSizeBetween(30, 50).isSortedAccordingTo((a, b) -> number(a) - number(b));
        try (Stream<Path> files = Files.list(folder())) {
            assertThat(files.filter(file -> file.toString().endsWith(".log")))
                    .hasSize(5)
                    .allSatisfy(file -> assertThat(file)
                            .satisfies(each -> assertThat(Files.size(each)).isLessThanOrEqualTo(1_000)));
        }
    }

    private static int number(String line) {
        return Integer.parseInt(line.split(" ", 3)[1]);
    }

    @Test
    void several_gateways_write_whole_lines_into_the_same_files() throws Exception {
        Thread first = Thread.ofPlatform().start(() -> safely("a"));
        Thread second = Thread.ofPlatform().start(() -> safely("b"));
        first.join();
        second.join();
        assertThat(DiaryFiles.read(folder())).isNotEmpty().allMatch(line -> line.matches("[ab] \\d+ x{100}"));
    }

    private void safely(String writer) {
        try {
            write(writer, 40);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void a_link_in_the_place_of_the_file_is_not_followed() throws IOException {
        Path victim = Files.writeString(home.resolve("victim"), "mine");
        Files.createDirectories(folder());
        Files.createSymbolicLink(folder().resolve("gateway.log"), victim);
        try (DiaryFiles files = DiaryFiles.in(World.system(), folder())) {
            files.write("one");
        }
        assertThat(victim).hasContent("mine");
    }
}
