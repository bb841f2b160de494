package dev.fusebox.interop;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// A gateway over HTTP as a separate process. The opener closes it. Opening blocks until it listens, closing until
/// it and all its processes have ended.
final class Gateway implements AutoCloseable {
    private final Program program;

    private Gateway(Program program) {
        this.program = program;
    }

    /// The command of a stdio gateway, for a client that starts it.
    static List<String> command(Path configuration) {
        return command(configuration, "stdio");
    }

    static Target overStdio(Path configuration) {
        return Target.of(command(configuration), Map.of());
    }

    /// A gateway with many servers and prefixed tool names.
    static Gateway ofMany(Path configuration) {
        var command = new ArrayList<>(command(configuration, "http"));
        command.remove("--no-prefix");
        return listening(command);
    }

    /// A gateway with its own tools only and with script support.
    ///
    /// @param place the folder that it runs in, and its servers
    static Gateway ofAgents(Path configuration, Path place) {
        var command = new ArrayList<>(JavaProgram.gateway("serve", "--config", configuration.toString()));
        command.add(1, "-Dfusebox.worker=" + JavaProgram.CLASS_PATH);
        command.addAll(List.of("--transport", "http", "--port", "0"));
        return new Gateway(
                Program.start("gateway", new ProcessBuilder(command).directory(place.toFile()), "serving on "));
    }

    static Gateway overHttp(Path configuration) {
        return listening(new ArrayList<>(command(configuration, "http")));
    }

    private static Gateway listening(List<String> command) {
        command.addAll(List.of("--port", "0"));
        return new Gateway(Program.start("gateway", new ProcessBuilder(command), "serving on "));
    }

    private static List<String> command(Path configuration, String transport) {
        return JavaProgram.gateway(
                "serve",
                "--config",
                configuration.toString(),
                "--transport",
                transport,
                "--expose",
                "proxy",
                "--no-prefix");
    }

    String url() {
        return program.said();
    }

    /// Processes that it has started, and whatever they have, by their command lines.
    List<ProcessHandle> descendants(Predicate<String> command) {
        return program.descendants()
                .filter(process -> process.info().commandLine().filter(command).isPresent())
                .toList();
    }

    /// Where it listens, without a path.
    String base() {
        return url().replaceFirst("/mcp$", "");
    }

    Target http() {
        return Target.http(url());
    }

    Target sse() {
        return Target.sse(base() + "/sse");
    }

    @Override
    public void close() {
        program.close();
    }
}
