package dev.fusebox.conventions;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The folder of a Maven module. Immutable; reads the disk at each call.
record ModuleFolder(Path folder) {
    String name() {
        return folder.getFileName().toString();
    }

    /// The root package of everything in the module.
    String rootPackage() {
        return "dev.fusebox." + name();
    }

    Path pom() {
        return folder.resolve("pom.xml");
    }

    Path mainSources() {
        return folder.resolve("src/main/java");
    }

    Path classes() {
        return folder.resolve("target/classes");
    }

    Path testClasses() {
        return folder.resolve("target/test-classes");
    }

    boolean hasMainSources() {
        return !filesUnder(mainSources(), ".java").isEmpty();
    }

    List<Path> classFiles() {
        return filesUnder(classes(), ".class");
    }

    Optional<ModuleDescriptor> descriptor() {
        Path file = classes().resolve("module-info.class");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of(ModuleDescriptor.read(in));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    Set<String> exportedPackages() {
        return descriptor().stream()
                .flatMap(descriptor -> descriptor.exports().stream())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toUnmodifiableSet());
    }

    static List<Path> filesUnder(Path folder, String ending) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
