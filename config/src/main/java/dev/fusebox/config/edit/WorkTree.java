package dev.fusebox.config.edit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// The work tree of a version control system, from which a file may be committed and published. Thread-safe; blocks
/// as looking at files does.
public final class WorkTree {
    /// A work tree of git has a folder of this name, or a file if it is a submodule or one of several work trees.
    private static final String[] MARKS = {".git", ".hg", ".jj", ".svn"};

    private WorkTree() {}

    /// The root of the work tree that a file is in, or would be in; also that of the file a link leads to. Empty if it
    /// is in none.
    public static Optional<Path> of(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        return Stream.of(absolute.resolveSibling(""), real(absolute).resolveSibling(""))
                .map(WorkTree::real)
                .flatMap(folder -> Stream.iterate(folder, each -> each != null, Path::getParent))
                .filter(WorkTree::isRoot)
                .findFirst();
    }

    private static boolean isRoot(Path folder) {
        return Stream.of(MARKS).anyMatch(mark -> Files.exists(folder.resolve(mark), LinkOption.NOFOLLOW_LINKS));
    }

    /// Where a path is, with the links in the part of it that exists followed.
    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException missing) {
            Path parent = path.getParent();
            return parent == null ? path : real(parent).resolve(path.getFileName());
        }
    }
}
