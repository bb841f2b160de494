package dev.fusebox.gateway.doctor;

import dev.fusebox.config.CommandWords;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.gateway.errors.ErrorId;
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

/// What can be said of a process before it is started. Blocks as the file system does.
final class StaticChecks {
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

    private static final Software NODE = new Software("Node.js", "nodejs npm");
    private static final Software UV = new Software("uv", "");

    /// What brings commands that many servers are started with.
    private static final Map<String, Software> COMES_WITH = Map.of(
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

    /// How executable files of Linux and macOS begin, beside scripts: ELF, and Mach-O in all its forms.
    private static final Set<Integer> MAGIC =
            Set.of(0x7f454c46, 0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe);

    /// @param packages of Debian that bring it; empty if there are none
    private record Software(String name, String packages) {
        /// Where pip refuses to install into the Python of the system, pipx installs uv.
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
        String ours = platform.environment().getOrDefault("PATH", USUAL_PATH);
        this.path = spec.env().getOrDefault("PATH", ours);
    }

    List<Finding> shapes() {
        return CommandLineChecks.of(spec)
                .map(shape -> Finding.warn(Check.LAUNCH, shape.errorId(), shape.words())
                        .mendedBy(server.place(shape.key()) + ": " + shape.remedy()))
                .toList();
    }

    /// Whether there is something to start, and where.
    Finding command() {
        Path folder = Path.of(spec.cwd() == null ? "" : spec.cwd());
        if (!Files.isDirectory(folder) && HomePaths.is(folder.toString())) {
            return unexpanded("cwd", folder.toString());
        }
        if (!Files.isDirectory(folder)) {
            return Finding.fail(Check.COMMAND, ErrorId.FOLDER_MISSING, "there is no folder " + folder)
                    .mendedBy(server.place("cwd") + ": make the folder or correct \"cwd\"; `mkdir -p "
                            + FuseboxCommand.quoted(folder.toString()) + "` makes it");
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
        String cause = "there is no " + path + ": only a shell expands ~";
        return Finding.fail(Check.COMMAND, ErrorId.HOME_NOT_EXPANDED, cause)
                .mendedBy(server.place(key) + ": write " + HomePaths.expandable(path) + " in place of " + path);
    }

    private static boolean isExecutable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /// The file that is started, if there is one; else the command as it was written.
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
                            file + " is no program and no script (no #!)")
                    .mendedBy(server.place("command") + ": name a program; one that reads this file gets its path in"
                            + " \"args\"");
        }
        String cause = file + (isFolder ? " is a folder" : " is there and may not be executed");
        return Finding.fail(Check.COMMAND, ErrorId.COMMAND_NOT_EXECUTABLE, cause)
                .mendedBy(
                        isFolder
                                ? server.place("command") + ": name the program in that folder"
                                : "`chmod +x " + FuseboxCommand.quoted(file.toString()) + "` makes it executable");
    }

    /// Whether it begins as no program does. What cannot be read may be one.
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
                            "there is no program \"" + spec.command() + "\": it is a whole command line")
                    .mendedBy(server.place("command") + ": the program goes to \"command\" and the rest to \"args\": "
                            + line.get().members(server.args()));
        }
        Software software = COMES_WITH.get(spec.command());
        String install = software == null
                ? "install it, or give its whole path"
                : "install " + software.name() + ", which brings it" + software.installing()
                        + ", or give its whole path";
        Finding finding = Finding.fail(
                Check.COMMAND,
                ErrorId.COMMAND_NOT_FOUND,
                isPath ? "there is no file " + spec.command() : spec.command() + " is in no folder of the PATH");
        return isPath
                ? finding.mendedBy(server.place("command") + ": correct the path of \"command\"")
                : finding.shownBy(List.of("PATH of the server: " + path))
                        .mendedBy(server.place("command") + ": " + install + "; `command -v "
                                + FuseboxCommand.quoted(spec.command()) + "` finds it in your shell");
    }
}
