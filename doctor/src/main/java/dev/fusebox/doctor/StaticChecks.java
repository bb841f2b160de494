package dev.fusebox.doctor;

import dev.fusebox.client.ErrorId;
import dev.fusebox.config.CommandWords;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Checks of a process configuration without starting it. For one thread; blocks on file system access.
final class StaticChecks {
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

    private static final Software NODE = new Software("Node.js", "nodejs npm");
    private static final Software UV = new Software("uv", "");

    /// The software that provides commands with which many servers are started.
    private static final Map<String, Software> PROVIDERS = Map.of(
            "npx",
            NODE,
            "node",
            NODE,
            "npm",
            NODE,
            "uvx",
            UV,
            "uv",
            UV,
            "bunx",
            new Software("Bun", ""),
            "deno",
            new Software("Deno", ""),
            "python3",
            new Software("Python", "python3"),
            "docker",
            new Software("Docker", "docker.io"),
            "java",
            new Software("a JDK", "default-jdk"));

    private static final Path APT = Path.of("/usr/bin/apt-get");

    /// The first bytes of executable files of Linux and macOS, beside scripts: ELF, and Mach-O in all its forms.
    private static final Set<Integer> MAGIC =
            Set.of(0x7f454c46, 0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe);

    /// @param packages of Debian that contain it; empty if there are none
    private record Software(String name, String packages) {
        /// uv is installed with pipx, because pip refuses to install into the system Python.
        String installing() {
            if (name.equals("uv")) {
                return " (`pipx install uv`)";
            }
            return packages.isEmpty() || !Files.isExecutable(APT) ? "" : " (`sudo apt-get install " + packages + "`)";
        }
    }

    private final DiagnosedServer server;
    private final ServerEndpoint.Stdio spec;
    private final String path;

    StaticChecks(Platform platform, DiagnosedServer server, ServerEndpoint.Stdio spec) {
        this.server = server;
        this.spec = spec;
        String ours = platform.environment().getOrDefault("PATH", DEFAULT_PATH);
        this.path = spec.env().getOrDefault("PATH", ours);
    }

    List<Finding> shapes() {
        return CommandLineChecks.of(spec)
                .map(dangerousPattern -> Finding.warn(
                                Check.LAUNCH, dangerousPattern.errorId(), dangerousPattern.words())
                        .withRemedy(server.place(dangerousPattern.key()) + ": " + dangerousPattern.remedy()))
                .toList();
    }

    /// Whether the command exists, and its path.
    Finding command() {
        Path folder = Path.of(spec.cwd() == null ? "" : spec.cwd());
        if (!Files.isDirectory(folder) && HomePaths.is(folder.toString())) {
            return unexpanded("cwd", folder.toString());
        }
        if (!Files.isDirectory(folder)) {
            return Finding.fail(Check.COMMAND, ErrorId.FOLDER_MISSING, "the folder " + folder + " does not exist")
                    .withRemedy(server.place("cwd") + ": create the folder or correct \"cwd\"; `mkdir -p "
                            + FuseboxCommand.quoted(folder.toString()) + "` creates it");
        }
        Optional<Path> executable =
                candidates().filter(StaticChecks::isExecutable).findFirst();
        if (executable.isPresent()) {
            return Finding.ok(Check.COMMAND, spec.command() + " is " + executable.get());
        }
        if (HomePaths.is(spec.command())) {
            return unexpanded("command", spec.command());
        }
        return candidates()
                .filter(Files::exists)
                .findFirst()
                .map(this::notExecutable)
                .orElseGet(this::notFound);
    }

    private Finding unexpanded(String key, String path) {
        String cause = path + " does not exist: only a shell expands ~";
        return Finding.fail(Check.COMMAND, ErrorId.HOME_NOT_EXPANDED, cause)
                .withRemedy(server.place(key) + ": write " + HomePaths.expandable(path) + " instead of " + path);
    }

    private static boolean isExecutable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /// The executable file if it exists; otherwise the command as written.
    String file() {
        return candidates()
                .filter(StaticChecks::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElse(spec.command());
    }

    private Stream<Path> candidates() {
        try {
            Path folder = Path.of(spec.cwd() == null ? "" : spec.cwd()).toAbsolutePath();
            if (spec.command().contains("/")) {
                return Stream.of(folder.resolve(spec.command()));
            }
            return Stream.of(path.split(":", -1))
                    .map(each -> folder.resolve(each).resolve(spec.command()));
        } catch (InvalidPathException unusable) {
            return Stream.empty();
        }
    }

    private Path resolved(String program) {
        return Path.of(spec.cwd() == null ? "" : spec.cwd()).toAbsolutePath().resolve(program);
    }

    private Finding notExecutable(Path file) {
        boolean isFolder = Files.isDirectory(file);
        if (!isFolder && isText(file)) {
            return Finding.fail(
                            Check.COMMAND,
                            ErrorId.COMMAND_NOT_EXECUTABLE,
                            file + " is neither a program nor a script (no #!)")
                    .withRemedy(server.place("command")
                            + ": name a program; a program that reads this file gets its path in" + " \"args\"");
        }
        String cause = file + (isFolder ? " is a folder" : " is not executable");
        return Finding.fail(Check.COMMAND, ErrorId.COMMAND_NOT_EXECUTABLE, cause)
                .withRemedy(
                        isFolder
                                ? server.place("command") + ": name the program in that folder"
                                : "`chmod +x " + FuseboxCommand.quoted(file.toString()) + "` makes it executable");
    }

    /// Whether it does not begin like a program. An unreadable file may be one.
    private static boolean isText(Path file) {
        try (DataInputStream bytes = new DataInputStream(Files.newInputStream(file))) {
            int first = bytes.readUnsignedShort();
            return first != ('#' << 8 | '!') && !MAGIC.contains(first << 16 | bytes.readUnsignedShort());
        } catch (EOFException tooShort) {
            return true;
        } catch (IOException unreadable) {
            return false;
        }
    }

    private Finding notFound() {
        boolean isPath = spec.command().contains("/");
        Optional<CommandWords> line = CommandWords.of(spec.command());
        if (line.isPresent()
                && (!isPath || Files.isRegularFile(resolved(line.get().program())))) {
            return Finding.fail(
                            Check.COMMAND,
                            ErrorId.COMMAND_NOT_FOUND,
                            "program \"" + spec.command() + "\" not found: it is a whole command line")
                    .withRemedy(
                            server.place("command") + ": write the program in \"command\" and the rest in \"args\": "
                                    + line.get().members(server.args()));
        }
        Software software = PROVIDERS.get(spec.command());
        String install = software == null
                ? "install it, or write its full path"
                : "install " + software.name() + ", which contains it" + software.installing()
                        + ", or write its full path";
        Finding finding = Finding.fail(
                Check.COMMAND,
                ErrorId.COMMAND_NOT_FOUND,
                isPath ? "the file " + spec.command() + " does not exist" : spec.command() + " is not in the PATH");
        return isPath
                ? finding.withRemedy(server.place("command") + ": correct the path of \"command\"")
                : finding.shownBy(List.of("PATH of the server: " + path))
                        .withRemedy(server.place("command") + ": " + install + "; `command -v "
                                + FuseboxCommand.quoted(spec.command()) + "` prints its path in your shell");
    }
}
