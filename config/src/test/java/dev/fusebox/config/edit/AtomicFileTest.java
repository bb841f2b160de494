package dev.fusebox.config.edit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whoever looks finds the old file or the new one.
@Tag("process")
@Timeout(120)
class AtomicFileTest {
    private static final int KILLS = 6;
    private static final int LENGTH = 1_000_000;

    @TempDir
    Path folder;

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static void replace(Path path, String text) throws IOException {
        AtomicFile.read(path).replace(bytes(text));
    }

    @Test
    void rights_and_links_stay() throws IOException {
        Path real = Files.writeString(folder.resolve("real.json"), "old");
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), Path.of("real.json"));

        replace(link, "new");

        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(real).hasContent("new");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void what_was_there_before_is_kept_under_the_same_rights() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        Path kept = Objects.requireNonNull(AtomicFile.read(file).replace(bytes("new")));

        assertThat(kept).hasContent("old");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
                .isEqualTo("rw-------");
    }

    @Test
    void the_first_of_all_and_the_last_contents_are_kept_and_no_more() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "0");
        for (int i = 1; i <= 12; i++) {
            replace(file, "" + i);
        }

        try (Stream<Path> files = Files.list(folder)) {
            List<String> kept = files.filter(each -> !each.equals(file))
                    .sorted()
                    .map(AtomicFileTest::text)
                    .toList();
            assertThat(kept).containsExactly("0", "8", "9", "10", "11");
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_file_that_was_not_there_is_for_its_owner_only() throws IOException {
        Path file = folder.resolve("a/b/new.json");

        assertThat(AtomicFile.read(file).replace(bytes("x"))).isNull();

        assertThat(file).hasContent("x");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("a"))))
                .isEqualTo("rwx------");
    }

    @Test
    void what_somebody_else_has_changed_meanwhile_is_left_as_it_is() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "old");
        AtomicFile read = AtomicFile.read(file);
        Files.writeString(file, "theirs");

        assertThatThrownBy(() -> read.replace(bytes("ours"))).hasMessageContaining("changed by another program");
        assertThat(file).hasContent("theirs");

        AtomicFile nothing = AtomicFile.read(folder.resolve("g"));
        Files.writeString(folder.resolve("g"), "theirs");
        assertThatThrownBy(() -> nothing.replace(bytes("ours"))).hasMessageContaining("changed by another program");
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    /// F71: there is room for the new content, but not for a copy of the old one.
    @Test
    void on_a_disk_without_room_the_file_stays_and_no_half_copy_lies_beside_it() throws IOException {
        try (SmallDisk disk = SmallDisk.at(folder.resolve("disk"))) {
            String old = "old".repeat(10_000);
            Path file = Files.writeString(disk.place().resolve("f"), old);
            for (int again = 0; again < 3; again++) {
                assertThatThrownBy(() -> replace(file, "new".repeat(8_000))).isInstanceOf(IOException.class);
                assertThat(file).hasContent(old);
                assertThat(names(disk.place())).containsExactly("f");
            }
        }
    }

    /// F71
    @Test
    void on_a_disk_that_cannot_be_written_the_file_stays() throws IOException {
        try (SmallDisk disk = SmallDisk.at(folder.resolve("disk"))) {
            Path file = Files.writeString(disk.place().resolve("f"), "old");
            disk.freeze();
            assertThatThrownBy(() -> replace(file, "new")).isInstanceOf(IOException.class);
            assertThat(file).hasContent("old");
            assertThat(names(disk.place())).containsExactly("f");
        }
    }

    /// F71: the last step fails, after all has been written beside it.
    @Test
    void what_cannot_be_put_in_its_place_leaves_nothing_beside_it() throws IOException {
        AtomicFile read = AtomicFile.read(folder.resolve("f"));
        Files.createDirectories(folder.resolve("f/full"));
        assertThatThrownBy(() -> read.replace(bytes("new"))).isInstanceOf(IOException.class);
        assertThat(names(folder)).containsExactly("f");
    }

    @Test
    void a_folder_is_no_file() {
        assertThatThrownBy(() -> AtomicFile.read(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a regular file");
    }

    /// Killed at whatever moment it was in; some seconds, because each time a process starts.
    @Test
    void after_a_kill_at_any_moment_the_file_is_whole() throws Exception {
        Path file = Files.writeString(folder.resolve("f"), "a".repeat(LENGTH));
        for (int kill = 0; kill < KILLS; kill++) {
            Process writer = writer(file);
            try (BufferedReader said = writer.inputReader()) {
                for (int written = 0; written <= kill % 3; written++) {
                    assertThat(said.readLine()).isEqualTo("written");
                }
                writer.destroyForcibly().waitFor();
            }
            String found = Files.readString(file);
            assertThat(found).hasSize(LENGTH).isEqualTo(found.substring(0, 1).repeat(LENGTH));
        }
        replace(file, "end");

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(each -> each.getFileName().toString())).noneMatch(name -> name.endsWith(".tmp"));
        }
    }

    private static Process writer(Path file) throws IOException {
        String paths = Stream.of("jdk.module.path", "java.class.path")
                .map(System::getProperty)
                .filter(Objects::nonNull)
                .reduce("", (all, path) -> all + File.pathSeparator + path);
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        paths + File.pathSeparator + tests(),
                        Writer.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /// Tests of a module are patched into it, and stand in no path.
    private static String tests() {
        return Path.of("target", "test-classes").toAbsolutePath()
                + File.pathSeparator
                + Path.of("target", "classes").toAbsolutePath();
    }

    /// Exchanges a file as fast as it can.
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            Path file = Path.of(arguments[0]);
            for (int round = 0; ; round++) {
                String letter = round % 2 == 0 ? "b" : "a";
                AtomicFile.read(file).replace(letter.repeat(LENGTH).getBytes(UTF_8));
                System.out.println("written");
            }
        }
    }
}
