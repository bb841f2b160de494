package dev.fusebox.interop;

import dev.fusebox.fixtures.program.ProgramJars;
import dev.fusebox.fixtures.program.StartupCache;
import dev.fusebox.fixtures.program.StartupCache.Training;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Commands that start Java programs as processes of their own, with the class path of these tests, in jars.
/// Thread-safe; the first use makes the jars, and the first of a program its AOT cache.
final class JavaProgram {
    private static final Path FOLDER = Path.of("target", "programs").toAbsolutePath();
    private static final ProgramJars JARS = ProgramJars.of(System.getProperty("java.class.path"), FOLDER);
    static final String CLASS_PATH = JARS.path();
    private static final String GATEWAY = "dev.fusebox.cli.Main";

    private JavaProgram() {}

    /// The application.
    static List<String> gateway(String... words) {
        Training training = new Training(options -> command(options, GATEWAY, "train", "http"), "");
        return command(StartupCache.options(FOLDER.resolve("gateway"), JARS, training), GATEWAY, words);
    }

    /// The server of the official SDK for Java.
    ///
    /// @param transport `stdio` or `http`
    static List<String> server(String transport) {
        String main = JavaServer.class.getName();
        Training training = Training.ofServer(options -> command(options, main, "stdio"));
        return command(StartupCache.options(FOLDER.resolve("server"), JARS, training), main, transport);
    }

    /// A program without a cache.
    static List<String> of(Class<?> main, String... words) {
        return command(List.of(), main.getName(), words);
    }

    private static List<String> command(List<String> options, String main, String... words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                CLASS_PATH));
        command.addAll(options);
        command.add(main);
        command.addAll(List.of(words));
        return List.copyOf(command);
    }
}
