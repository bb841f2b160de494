package dev.fusebox.interop;

import static dev.fusebox.testkit.Eventually.eventually;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The home of a user whose clients share a gateway, with a launcher that starts the application under test. The
/// opener closes it, which ends the gateway. For one thread, except for [#client].
final class SharedLauncher implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Path home;
    private final Path configuration;
    private final Path launcher;

    /// @param home the folder of the application's files
    SharedLauncher(Path home, Path configuration) {
        this.home = home;
        this.configuration = configuration;
        try {
            Files.createDirectories(home);
            this.launcher = launcher(home);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path launcher(Path home) throws IOException {
        String words =
                JavaProgram.gateway().stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        Path script = Files.writeString(home.resolve("fusebox.sh"), "#!/bin/sh\nexec " + words + " \"$@\"\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// What a client starts that shares the gateway.
    List<String> command() {
        List<String> command = new ArrayList<>(JavaProgram.gateway(
                "serve", "--config", configuration.toString(), "--expose", "proxy", "--share", "auto"));
        command.add(1, "-Dfusebox.launcher=" + launcher);
        return List.copyOf(command);
    }

    Map<String, String> variables() {
        return Map.of("FUSEBOX_HOME", home.toString());
    }

    Target client() {
        return Target.of(command(), variables());
    }

    /// A client with a gateway of its own, before the same servers.
    Target alone() {
        List<String> command = new ArrayList<>(command());
        command.set(command.indexOf("auto"), "off");
        return Target.of(command, Map.of("FUSEBOX_HOME", home.resolve("alone").toString()));
    }

    /// What `status` prints.
    String status() {
        ProcessBuilder status = new ProcessBuilder(JavaProgram.gateway("status"));
        status.environment().putAll(variables());
        return Run.of(status, LIMIT).succeeds().out();
    }

    /// The processes of the shared gateways that run.
    List<ProcessHandle> gateways() {
        Path run = home.resolve("run");
        try (Stream<Path> files = Files.exists(run) ? Files.list(run) : Stream.empty()) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\d+\\.sock"))
                    .flatMap(name -> ProcessHandle.of(Long.parseLong(name.substring(0, name.indexOf('.')))).stream())
                    .filter(ProcessHandle::isAlive)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The processes that the gateway has started, and theirs, whose command lines contain a text.
    List<ProcessHandle> servers(String text) {
        return gateways().stream()
                .flatMap(ProcessHandle::descendants)
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(text))
                        .isPresent())
                .toList();
    }

    @Override
    public void close() {
        List<ProcessHandle> all = gateways().stream()
                .flatMap(gateway -> Stream.concat(Stream.of(gateway), gateway.descendants()))
                .toList();
        gateways().forEach(ProcessHandle::destroy);
        try {
            eventually(
                    "the gateway and its processes have ended",
                    LIMIT,
                    () -> all.stream().noneMatch(ProcessHandle::isAlive));
        } finally {
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }
}
