package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A factory of commands that start the application as a separate process, as modules and with default signal
/// handling.
final class Launched {
    private Launched() {}

    /// @param flags of the JVM, each in one word
    static List<String> with(List<String> flags, String... words) {
        return SignalMasks.reset(from(modules(), flags, words));
    }

    /// As it is installed: its modules are jars, which are open from the start on, and not folders.
    ///
    /// @param folder where the jars go
    static List<String> packed(Path folder, String... words) throws IOException {
        List<String> jars = new ArrayList<>();
        for (String module : modules().split(File.pathSeparator, -1)) {
            jars.add(Files.isDirectory(Path.of(module)) ? jar(folder, jars.size(), module) : module);
        }
        return SignalMasks.reset(from(String.join(File.pathSeparator, jars), List.of(), words));
    }

    /// The same, with copies of all jars in one folder: another user may not read those that the build has.
    static List<String> copied(Path folder, String... words) throws IOException {
        List<String> jars = new ArrayList<>();
        for (String module : modules().split(File.pathSeparator, -1)) {
            Path copy = Files.createDirectories(folder).resolve(jars.size() + ".jar");
            jars.add(
                    Files.isDirectory(Path.of(module))
                            ? jar(folder, jars.size(), module)
                            : Files.copy(Path.of(module), copy).toString());
        }
        return from(String.join(File.pathSeparator, jars), List.of(), words);
    }

    private static String jar(Path folder, int number, String classes) throws IOException {
        Path jar = Files.createDirectories(folder).resolve(number + ".jar");
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        assertThat(tool.run(System.out, System.err, "--create", "--file", jar.toString(), "-C", classes, "."))
                .isZero();
        return jar.toString();
    }

    private static List<String> from(String modules, List<String> flags, String... words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=dev.fusebox.platform",
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                // Most of these processes live for a second, in which the other compiler only costs.
                "-XX:TieredStopAtLevel=1",
                "--module-path=" + modules));
        command.addAll(flags);
        command.addAll(List.of("-m", "dev.fusebox.cli/" + Main.class.getName()));
        command.addAll(List.of(words));
        return command;
    }

    /// Without words, and with whatever signal handling it inherits.
    static List<String> inheriting() {
        return from(modules(), List.of());
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
