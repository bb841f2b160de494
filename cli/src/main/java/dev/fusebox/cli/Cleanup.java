package dev.fusebox.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Deletion of a command's temporary files. Blocks on the file system.
final class Cleanup {
    private Cleanup() {}

    /// Deletes a folder with its content; files that cannot be deleted are left.
    static void of(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException stays) {
            return;
        }
    }
}
