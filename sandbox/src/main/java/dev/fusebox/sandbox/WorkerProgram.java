package dev.fusebox.sandbox;

import dev.fusebox.client.process.ChildLimits;
import dev.fusebox.client.process.ChildSpec;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The command line of a worker. Immutable; [#of] reads a folder.
///
/// @param java the Java executable
/// @param classPath the jars of the worker
/// @param cache the start-up cache; null if there is none
/// @param more further JVM flags
public record WorkerProgram(
        Path java, List<Path> classPath, @Nullable Path cache, List<String> more) {
    private static final String MAIN = "dev.fusebox.worker.WorkerMain";

    private static final String CACHE_OUTPUT = "-XX:AOTCacheOutput=";

    /// The memory of the engine itself and the part that a copying collector cannot use: with this addition a
    /// script can hold what it was promised (docs/execute.md has the figures).
    private static final int ENGINE_MB = 40;

    /// The engine would unpack a library that its interpreter does not need. A worker may not write files, so each
    /// one would only leave a folder in the user's home.
    private static final String NO_CACHE = "-Dpolyglot.engine.userResourceCache=/dev/null";

    /// Exit code of a JVM that ran out of memory, by `ExitOnOutOfMemoryError`.
    static final int OUT_OF_MEMORY = 3;

    public WorkerProgram {
        classPath = List.copyOf(classPath);
        more = List.copyOf(more);
    }

    /// Without further flags.
    public WorkerProgram(Path java, List<Path> classPath, @Nullable Path cache) {
        this(java, classPath, cache, List.of());
    }

    /// The program in a folder of jars, or on a class path, run by the Java of this process; empty if there is
    /// none.
    public static Optional<WorkerProgram> of(String place, @Nullable Path cache) throws IOException {
        List<Path> entries = Stream.of(place.split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .toList();
        List<Path> classPath = entries.size() == 1 ? jars(entries.getFirst()) : entries;
        return classPath.isEmpty() ? Optional.empty() : Optional.of(new WorkerProgram(ownJava(), classPath, cache));
    }

    /// In a fixed order: a start-up cache fits one class path.
    private static List<Path> jars(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    /// The Java executable of this process.
    public static Path ownJava() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /// The same program, writing a cache when it ends.
    WorkerProgram training(Path cacheToBe) {
        return new WorkerProgram(java, classPath, null, List.of(CACHE_OUTPUT + cacheToBe));
    }

    /// The child process specification of a worker with these limits.
    ChildSpec spec(SandboxLimits rules) {
        List<String> words = new ArrayList<>(LowPriority.words(writesCache()));
        words.add(java.toString());
        words.addAll(flags(rules.memoryMb()));
        words.addAll(more);
        if (cache != null) {
            words.add("-XX:AOTCache=" + cache);
        }
        words.add("-cp");
        words.add(String.join(
                File.pathSeparator, classPath.stream().map(Path::toString).toList()));
        words.add(MAIN);
        int longest = rules.maxOutputBytes() + (1 << 20);
        ChildLimits limits = ChildLimits.defaults().withFrameBytes(longest).withDiscardBytes(longest);
        return ChildSpec.of(words.getFirst(), words.subList(1, words.size()).toArray(String[]::new))
                .withLimits(limits);
    }

    private boolean writesCache() {
        return more.stream().anyMatch(flag -> flag.startsWith(CACHE_OUTPUT));
    }

    /// Flags for a small JVM on one processor, which exits immediately when its memory is used up, and leaves no
    /// files behind.
    private static List<String> flags(int memoryMb) {
        return List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:ActiveProcessorCount=1",
                "-Xms24m",
                "-Xmx" + (memoryMb + ENGINE_MB) + "m",
                "-Xss4m",
                "-XX:MaxMetaspaceSize=160m",
                "-XX:ReservedCodeCacheSize=48m",
                "-XX:MaxDirectMemorySize=8m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null",
                "-XX:+DisableAttachMechanism",
                "-XX:-UsePerfData",
                "-XX:+DisplayVMOutputToStderr",
                "-Xlog:disable",
                NO_CACHE,
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow");
    }
}
