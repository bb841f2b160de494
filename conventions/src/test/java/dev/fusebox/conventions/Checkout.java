package dev.fusebox.conventions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The checkout to check: its folder, its modules and its hand-written files. Immutable.
record Checkout(Path root) {
    /// The checkout in which this test runs.
    static final Checkout HERE = new Checkout(rootAbove(Path.of("").toAbsolutePath()));

    private static final Set<String> NOT_BY_HAND =
            Set.of(".git", ".idea", ".vscode", ".settings", "target", "node_modules");
    private static final Set<String> TEXT_ENDINGS = Set.of(
            "java", "xml", "md", "sh", "yml", "yaml", "json", "mjs", "js", "properties", "html", "css", "config");

    /// The modules that are present: every folder of the root that has a pom.
    List<ModuleFolder> modules() {
        try (Stream<Path> folders = Files.list(root)) {
            return folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .sorted()
                    .map(ModuleFolder::new)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Every hand-written text file: those with a known extension and those with none, such as scripts.
    List<Path> textFiles() {
        var found = new ArrayList<Path>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    boolean skip = NOT_BY_HAND.contains(folder.getFileName().toString())
                            || folder.equals(root.resolve("build"));
                    return skip ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile() && isText(file.getFileName().toString())) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        found.sort(null);
        return found;
    }

    List<Path> textFiles(String ending) {
        return textFiles().stream()
                .filter(file -> file.toString().endsWith(ending))
                .toList();
    }

    /// The path from the root, for messages.
    String nameOf(Path file) {
        return root.relativize(file).toString();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static boolean isText(String name) {
        if (name.equals(".git")) {
            return false;
        }
        int dot = name.lastIndexOf('.');
        return dot <= 0 || TEXT_ENDINGS.contains(name.substring(dot + 1));
    }

    private static Path rootAbove(Path start) {
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(".mvn"))) {
                return folder;
            }
        }
        throw new IllegalStateException("no folder with .mvn above " + start);
    }
}
