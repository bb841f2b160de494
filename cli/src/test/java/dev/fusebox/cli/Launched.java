package dev.fusebox.cli;

import dev.fusebox.fixtures.program.ProgramJars;
import dev.fusebox.fixtures.program.StartupCache;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A factory of commands that start the application as a separate process, as modules in jars, as it is installed, and
/// with default signal handling.
final class Launched {
    private static final Path FOLDER = Path.of("target", "launched").toAbsolutePath();

    private Launched() {}

    /// The jars and the AOT cache, which the first user makes.
    private static final class Application {
        static final ProgramJars JARS = ProgramJars.of(modules(), FOLDER);
        static final List<String> CACHE = StartupCache.options(
                FOLDER.resolve("fusebox"),
                JARS,
                new StartupCache.Training(options -> from(JARS, options, "train", "http"), ""));

        private Application() {}
    }

    /// @param flags of the JVM, each in one word
    static List<String> with(List<String> flags, String... words) {
        return SignalMasks.reset(cached(flags, words));
    }

    /// With copies of all jars in one folder: another user may not read those that the build has.
    static List<String> copied(Path folder, String... words) throws IOException {
        Files.createDirectories(folder);
        List<Path> copies = new ArrayList<>();
        for (Path jar : Application.JARS.list()) {
            copies.add(Files.copy(jar, folder.resolve(copies.size() + ".jar")));
        }
        return from(new ProgramJars(copies), List.of(), words);
    }

    private static List<String> cached(List<String> flags, String... words) {
        List<String> options = new ArrayList<>(Application.CACHE);
        options.addAll(flags);
        return from(Application.JARS, options, words);
    }

    private static List<String> from(ProgramJars modules, List<String> flags, String... words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=dev.fusebox.platform",
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                // Most of these processes live for a second, in which the other compiler only costs.
                "-XX:TieredStopAtLevel=1",
                "--module-path=" + modules.path()));
        command.addAll(flags);
        command.addAll(List.of("-m", "dev.fusebox.cli/" + Main.class.getName()));
        command.addAll(List.of(words));
        return command;
    }

    /// Without words, and with whatever signal handling it inherits.
    static List<String> inheriting() {
        return cached(List.of());
    }

    static List<String> command(String... words) {
        return with(List.of(), words);
    }

    /// What sends traces is no module, and stands elsewhere while tests run.
    private static String modules() {
        String modules = Objects.requireNonNull(System.getProperty("jdk.module.path"), "tests run as modules");
        Stream<String> traces = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(String.valueOf(System.getProperty("java.class.path")))
                .filter(jar -> jar.contains("opentelemetry"));
        return Stream.concat(Stream.of(modules), traces).collect(Collectors.joining(File.pathSeparator));
    }
}
