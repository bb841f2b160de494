package dev.fusebox.gateway.approval;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which `.mcp.json` files are used, with other users who can write them.
@Timeout(60)
class ProjectConfigTest {
    private static final byte[] MINE = "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}".getBytes(UTF_8);
    private static final byte[] OTHER = "{\"mcpServers\":{\"a\":{\"command\":\"y\"}}}".getBytes(UTF_8);
    private static final int STRANGER = 12_345;

    @TempDir
    private Path folder;

    private Platform platform;
    private Path project;
    private Path file;

    @BeforeEach
    void write() throws IOException {
        platform = Platform.system().withEnvironment(Map.of("FUSEBOX_HOME", home().toString()));
        project = Files.createDirectory(folder.resolve("project"));
        chmod(project, "rwx------");
        file = Files.write(project.resolve(".mcp.json"), MINE);
        chmod(file, "rw-r--r--");
    }

    private Path home() {
        return folder.resolve("home");
    }

    private Path kept() {
        return home().resolve("allowed");
    }

    private static void chmod(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static void giveToStranger(Path path) throws IOException {
        assumeTrue(Files.getAttribute(path, "unix:uid").equals(0), "skipped: only root can give files away");
        Files.setAttribute(path, "unix:uid", STRANGER, LinkOption.NOFOLLOW_LINKS);
    }

    private void allow() throws IOException {
        ProjectConfig config = ProjectConfig.at(platform, file);
        config.allow(config.read());
    }

    private String why() {
        return ProjectConfig.at(platform, file)
                .configRejection()
                .map(ConfigRejection::toString)
                .orElse("");
    }

    @Test
    void file_is_used_while_its_content_is_allowed() throws IOException {
        assertThat(why()).contains("has not been allowed", "./fusebox allow " + file, "--config " + file);
        allow();
        assertThat(why()).isEmpty();
        Files.write(file, OTHER);
        assertThat(why()).contains("has changed since it was allowed");
        allow();
        assertThat(why()).isEmpty();
        Files.write(file, MINE);
        assertThat(why()).as("only the last content is allowed").contains("has changed");
    }

    @Test
    void checked_text_is_the_text_in_use() throws IOException {
        allow();
        ProjectConfig config = ProjectConfig.at(platform, file);
        assertThat(config.problem(OTHER)).isPresent();
        Files.write(file, OTHER);
        assertThat(config.problem(MINE)).isEmpty();
    }

    @Test
    void file_writable_by_others_is_rejected_with_a_remedy() throws IOException {
        allow();
        for (String mode : List.of("rw-rw-r--", "rw-r--rw-", "rw-rw-rw-")) {
            chmod(file, mode);
            assertThat(why()).contains("may be written by other users (" + mode + ")", "chmod go-w " + file);
        }
        chmod(file, "rw-------");
        assertThat(why()).isEmpty();
    }

    @Test
    void folder_writable_by_others_is_rejected() throws IOException {
        allow();
        chmod(project, "rwxrwxr-x");
        assertThat(why()).contains("is in the folder " + project + ", which other users may write");
        chmod(project, "rwxr-xr-x");
        assertThat(why()).isEmpty();
    }

    @Test
    void foreign_files_and_folders_are_rejected_even_with_allowed_content() throws IOException {
        allow();
        giveToStranger(file);
        assertThat(why()).contains("belongs to " + STRANGER);
        Files.setAttribute(file, "unix:uid", 0);
        assertThat(why()).isEmpty();
        giveToStranger(project);
        assertThat(why()).contains("is in the folder " + project + ", which belongs to " + STRANGER);
    }

    @Test
    void link_is_used_only_with_its_approved_target() throws IOException {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        chmod(shared, "rwx------");
        Path one = Files.write(shared.resolve("one.json"), MINE);
        Path two = Files.write(shared.resolve("two.json"), MINE);
        Files.delete(file);
        Files.createSymbolicLink(file, one);
        allow();
        assertThat(why()).isEmpty();

        Files.delete(file);
        Files.createSymbolicLink(file, two);
        assertThat(why()).as("the same content elsewhere").contains("has changed");

        Files.delete(file);
        Files.createSymbolicLink(file, one);
        chmod(one, "rw-rw-rw-");
        assertThat(why()).contains("may be written by other users");
        chmod(one, "rw-------");
        chmod(shared, "rwxrwxrwx");
        assertThat(why()).contains("is in the folder " + shared);
    }

    @Test
    void foreign_link_to_an_allowed_file_is_rejected() throws IOException {
        allow();
        Path theirs = Files.createDirectory(folder.resolve("theirs"));
        chmod(theirs, "rwx------");
        Path link = Files.createSymbolicLink(theirs.resolve(".mcp.json"), file);
        ProjectConfig config = ProjectConfig.at(platform, link);
        assertThat(config.configRejection())
                .hasValueSatisfying(why -> assertThat(why.cause()).contains("has not been allowed"));
        config.allow(MINE);
        assertThat(config.configRejection()).isEmpty();
        giveToStranger(link);
        assertThat(config.configRejection())
                .hasValueSatisfying(why -> assertThat(why.cause()).contains("belongs to"));
    }

    @Test
    void copy_and_hard_link_are_not_covered_by_the_approval() throws IOException {
        allow();
        Path other = Files.createDirectory(folder.resolve("other"));
        chmod(other, "rwx------");
        file = Files.createLink(other.resolve(".mcp.json"), file);
        assertThat(why()).contains("has not been allowed");
    }

    @Test
    void approval_covers_other_paths_to_the_same_folder() throws IOException {
        allow();
        Path alias = Files.createSymbolicLink(folder.resolve("alias"), project);
        file = alias.resolve("../alias/.mcp.json");
        assertThat(why()).isEmpty();
    }

    @Test
    void non_regular_file_is_not_opened() throws Exception {
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        assertThat(why()).contains("is not a regular file");
        assertThatThrownBy(() -> ProjectConfig.at(platform, file).read()).hasMessageContaining("not a regular file");
        Files.delete(file);
        Files.createDirectory(file);
        assertThat(why()).contains("is not a regular file");
        Files.delete(file);
        Files.createSymbolicLink(file, project.resolve("nowhere"));
        assertThat(why()).contains("cannot be checked");
    }

    @Test
    void approval_store_is_owner_only() throws IOException {
        Files.createDirectories(kept());
        chmod(kept(), "rwxrwxrwx");
        assertThat(why()).as("a store writable by others is rejected").contains("cannot be checked (" + kept());
        allow();
        assertThat(why()).isEmpty();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept())))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(kept())) {
            assertThat(files.toList())
                    .singleElement()
                    .satisfies(
                            record -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(record)))
                                    .isEqualTo("rw-------"));
        }
    }

    private Path record() {
        return ProjectConfig.at(platform, file).approvalRecord().orElseThrow();
    }

    /// S66
    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{}", "{\"file\":1}", "null", "\u0000"})
    void unreadable_record_allows_nothing(String spoilt) throws IOException {
        allow();
        Files.writeString(record(), spoilt);
        assertThat(why()).contains("cannot be checked (" + record() + " is not an approval record)");
        allow();
        assertThat(why()).as("allowing it again repairs it").isEmpty();
    }

    @Test
    void record_writable_by_others_allows_nothing() throws Exception {
        allow();
        chmod(record(), "rw-rw-rw-");
        assertThat(why()).contains("cannot be checked");
        chmod(record(), "rw-------");
        assertThat(why()).isEmpty();
        Path record = record();
        Path moved = Files.move(record, folder.resolve("moved"));
        Files.createSymbolicLink(record, moved);
        assertThat(why()).as("a link").contains("cannot be checked");
        Files.delete(record);
        Files.createDirectory(record);
        assertThat(why()).as("a folder").contains("cannot be checked");
        Files.delete(record);
        assertThat(new ProcessBuilder("mkfifo", record.toString()).start().waitFor())
                .isZero();
        assertThat(why()).as("a pipe").contains("cannot be checked");
        Files.delete(record);
        Files.move(moved, record);
        giveToStranger(record);
        assertThat(why()).as("a stranger's").contains("cannot be checked");
    }

    @Test
    void record_of_another_file_allows_nothing() throws IOException {
        allow();
        byte[] mine = Files.readAllBytes(record());
        Path other = Files.createDirectory(folder.resolve("other"));
        chmod(other, "rwx------");
        file = Files.write(other.resolve(".mcp.json"), MINE);
        allow();
        Files.write(record(), mine);
        assertThat(why()).contains("cannot be checked");
    }

    @Test
    void store_behind_a_link_is_rejected() throws IOException {
        allow();
        Path moved = Files.move(kept(), folder.resolve("moved"));
        Files.createSymbolicLink(kept(), moved);
        assertThat(why()).contains("cannot be checked");
        assertThatThrownBy(this::allow).hasMessageContaining("is not a folder; remove it");
    }

    @Test
    void without_a_home_nothing_is_allowed() {
        platform = Platform.system().withEnvironment(Map.of());
        assertThat(why()).contains("cannot be checked (neither FUSEBOX_HOME nor HOME is set)");
        assertThatThrownBy(this::allow).hasMessageContaining("neither FUSEBOX_HOME nor HOME is set");
    }
}
