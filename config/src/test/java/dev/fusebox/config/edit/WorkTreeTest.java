package dev.fusebox.config.edit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkTreeTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void realFolder() throws IOException {
        folder = folder.toRealPath();
    }

    @Test
    void a_file_in_a_folder_below_is_in_it_also_where_nothing_is_yet() throws IOException {
        Path root = Files.createDirectories(folder.resolve("root"));
        assertThat(WorkTree.of(root.resolve("a/b/.mcp.json"))).isEmpty();
        Files.createDirectory(root.resolve(".git"));
        assertThat(WorkTree.of(root.resolve("a/b/.mcp.json"))).contains(root);
        assertThat(WorkTree.of(root.resolve("../other/x"))).isEmpty();
    }

    @Test
    void another_work_tree_of_a_repository_has_a_file_in_place_of_the_folder() throws IOException {
        Files.writeString(folder.resolve(".git"), "gitdir: /elsewhere");
        assertThat(WorkTree.of(folder.resolve("x"))).contains(folder);
    }

    /// As people keep the files of their home in a repository.
    @Test
    void a_link_into_it_is_in_it() throws IOException {
        Path root = Files.createDirectories(folder.resolve("dotfiles"));
        Files.createDirectory(root.resolve(".git"));
        Path real = Files.writeString(root.resolve("config.json"), "{}");
        Path home = Files.createDirectory(folder.resolve("home"));
        assertThat(WorkTree.of(Files.createSymbolicLink(home.resolve("config.json"), real)))
                .contains(root);
        assertThat(WorkTree.of(
                        Files.createSymbolicLink(home.resolve(".fusebox"), root).resolve("new.json")))
                .contains(root);
    }
}
