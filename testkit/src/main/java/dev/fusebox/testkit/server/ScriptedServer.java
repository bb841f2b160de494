package dev.fusebox.testkit.server;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The command that starts a server with a script as a process of its own. Thread-safe; nothing blocks.
///
/// The process runs on the Java that runs the caller, and finds its classes where the caller found them. Whoever
/// starts it ends it.
public final class ScriptedServer {
    /// A quick start matters more than speed later, and many of them run side by side.
    private static final List<String> FLAGS = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-Xmx512m",
            "-Dsun.net.httpserver.nodelay=true");

    private ScriptedServer() {}

    /// Over standard input and output.
    public static List<String> stdio(ServerScript script) {
        return command(script.arguments());
    }

    /// Over HTTP on the loopback address; its first line on standard output tells its address.
    ///
    /// @param port 0 for any free one
    public static List<String> http(ServerScript script, int port) {
        var arguments = new ArrayList<>(List.of("--http", Integer.toString(port)));
        arguments.addAll(script.arguments());
        return command(arguments);
    }

    private static List<String> command(List<String> arguments) {
        String classes = Stream.of(FixtureMain.class, JsonView.class, Platform.class)
                .map(ScriptedServer::home)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
        var flags = new ArrayList<>(FLAGS);
        flags.addAll(List.of("-cp", classes));
        return OwnProcess.command(flags, FixtureMain.class, arguments);
    }

    /// Where the classes of a module come from.
    private static String home(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("cannot tell where " + type + " comes from", e);
        }
    }
}
