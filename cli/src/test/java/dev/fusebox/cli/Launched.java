package dev.fusebox.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How tests start the application as a process of its own: as modules, like themselves.
final class Launched {
    private Launched() {}

    /// @param flags of the JVM, each in one word
    static List<String> with(List<String> flags, String... words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=dev.fusebox.world",
                "-Xmx128m",
                "--module-path=" + modules()));
        command.addAll(flags);
        command.addAll(List.of("-m", "dev.fusebox.cli/" + Main.class.getName()));
        command.addAll(List.of(words));
        return command;
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
