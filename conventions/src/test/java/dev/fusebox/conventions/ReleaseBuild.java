package dev.fusebox.conventions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Maven builds in folders of their own: a copy of the checkout with the published modules, and projects that use
/// them. They have a local repository that contains their own modules of this project and shares everything else
/// with this build. For one thread; each build blocks for five minutes at most.
final class ReleaseBuild {
    private static final int LONGEST_BUILD_S = 300;
    private static final String GROUP = "dev";
    private static final String OURS = "fusebox";

    private final Path folder;
    private final Path checkout;
    private final Path repository;

    /// The output and the exit code of a build.
    record Ended(int code, String printed) {}

    private ReleaseBuild(Path folder) {
        this.folder = folder;
        this.checkout = folder.resolve("checkout");
        this.repository = folder.resolve("repository");
    }

    /// @param published modules whose sources are needed; of the others Maven needs the POMs
    static ReleaseBuild in(Path folder, List<String> published) throws IOException {
        ReleaseBuild build = new ReleaseBuild(folder);
        Path root = Checkout.HERE.root();
        Files.createDirectories(build.checkout.resolve(".mvn"));
        Files.copy(root.resolve("pom.xml"), build.checkout.resolve("pom.xml"));
        for (ModuleFolder module : Checkout.HERE.modules()) {
            Path copy = Files.createDirectory(build.checkout.resolve(module.name()));
            Files.copy(module.pom(), copy.resolve("pom.xml"));
            if (published.contains(module.name())) {
                copy(module.mainSources(), copy.resolve("src/main/java"));
            }
        }
        build.linkRepository();
        return build;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }

    /// Nothing that this build has downloaded is downloaded again, and the modules of this project are not shared.
    private void linkRepository() throws IOException {
        Path known = Path.of(System.getProperty(
                "localRepository",
                Path.of(System.getProperty("user.home"), ".m2", "repository").toString()));
        Path group = Files.createDirectories(repository.resolve(GROUP));
        linkAll(known, repository, GROUP);
        linkAll(known.resolve(GROUP), group, OURS);
    }

    private static void linkAll(Path from, Path to, String except) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.filter(Files::isDirectory).toList()) {
                if (!entry.endsWith(except)) {
                    Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
                }
            }
        }
    }

    /// Removes the links, so that a deletion of the folder cannot follow them.
    void unlink() throws IOException {
        for (Path place : List.of(repository, repository.resolve(GROUP))) {
            try (Stream<Path> entries = Files.list(place)) {
                for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
                    Files.delete(link);
                }
            }
        }
    }

    /// A file of the repository into which the modules were installed.
    Path installed(String artifact, String version, String ending) {
        return repository.resolve(Path.of(GROUP, OURS, artifact, version, artifact + "-" + version + ending));
    }

    Ended release(String... arguments) throws IOException, InterruptedException {
        // The build that runs this test has already run all checks.
        List<String> all = new ArrayList<>(List.of(
                "-Prelease",
                "-Dmaven.test.skip=true",
                "-Dspotless.check.skip=true",
                "-Dcompiler.checks=-XDchecks=none"));
        all.addAll(List.of(arguments));
        return maven(checkout, Path.of(System.getProperty("java.home")), all);
    }

    /// @param java the JDK for Maven
    Ended maven(Path project, Path java, List<String> arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-Dmaven.repo.local=" + repository));
        all.addAll(arguments);
        String quick = "-XX:TieredStopAtLevel=1";
        return run(project, all, Map.of("JAVA_HOME", java.toString(), "MAVEN_OPTS", quick));
    }

    Ended run(Path where, List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path printed = Files.createTempFile(folder, "printed", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command).directory(where.toFile());
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            boolean isOver = process.waitFor(LONGEST_BUILD_S, TimeUnit.SECONDS);
            return new Ended(isOver ? process.exitValue() : -1, Files.readString(printed));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
