package dev.fusebox.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Removes what a command has made for itself. Blocks as the file system does.
final class Cleanup {
    private Cleanup() {}

    /// A folder with all that is in it; what cannot be removed stays, since nobody could do anything about it.
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
