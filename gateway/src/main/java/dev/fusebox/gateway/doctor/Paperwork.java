package dev.fusebox.gateway.doctor;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.ailment.Ailment;
import dev.fusebox.world.FuseboxCommand;
import dev.fusebox.world.World;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What can be said of a process before it is started. Blocks as the file system does.
final class Paperwork {
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

    /// What brings commands that many servers are started with.
    private static final Map<String, String> COMES_WITH = Map.of(
            "npx", "Node.js",
            "node", "Node.js",
            "npm", "Node.js",
            "uvx", "uv",
            "uv", "uv",
            "bunx", "Bun",
            "deno", "Deno",
            "python3", "Python",
            "docker", "Docker",
            "java", "a JDK");

    private final Patient patient;
    private final ChildSpec spec;
    private final String path;

    Paperwork(World world, Patient patient, ChildSpec spec) {
        this.patient = patient;
        this.spec = spec;
        String ours = world.environment().getOrDefault("PATH", USUAL_PATH);
        this.path = spec.env().getOrDefault("PATH", ours);
    }

    List<Finding> shapes() {
        Stream<Finding> warnings = Shapes.of(spec)
                .map(shape -> Finding.warn(Check.SHAPE, shape.ailment(), shape.words())
                        .mendedBy(patient.place(shape.key()) + ": " + shape.remedy()));
        String unpinned = Shapes.name(spec) + " takes the version that the registry offers; NAME@1.2.3 pins one";
        return Shapes.isUnpinned(spec)
                ? Stream.concat(Stream.of(Finding.ok(Check.SHAPE, unpinned)), warnings)
                        .toList()
                : warnings.toList();
    }

    /// Whether there is something to start, and where.
    Finding command() {
        Path folder = Path.of(spec.cwd() == null ? "" : spec.cwd());
        if (!Files.isDirectory(folder) && HomePaths.is(folder.toString())) {
            return unexpanded("cwd", folder.toString());
        }
        if (!Files.isDirectory(folder)) {
            return Finding.fail(Check.COMMAND, Ailment.FOLDER_MISSING, "there is no folder " + folder)
                    .mendedBy(patient.place("cwd") + ": correct \"cwd\", or make the folder with `mkdir -p "
                            + FuseboxCommand.quoted(folder.toString()) + "`");
        }
        Optional<Path> executable = candidates().filter(Paperwork::isExecutable).findFirst();
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
        String cause = "there is no " + path + ": only a shell makes the home folder of ~";
        return Finding.fail(Check.COMMAND, Ailment.HOME_NOT_EXPANDED, cause)
                .mendedBy(patient.place(key) + ": write " + HomePaths.expandable(path) + " in place of " + path);
    }

    private static boolean isExecutable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /// The file that is started, if there is one; else the command as it was written.
    String file() {
        return candidates()
                .filter(Paperwork::isExecutable)
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

    private Finding notExecutable(Path file) {
        boolean isFolder = Files.isDirectory(file);
        String cause = file + (isFolder ? " is a folder" : " is there and may not be executed");
        return Finding.fail(Check.COMMAND, Ailment.COMMAND_NOT_EXECUTABLE, cause)
                .mendedBy(
                        isFolder
                                ? patient.place("command") + ": name the program in that folder"
                                : "chmod +x " + FuseboxCommand.quoted(file.toString()));
    }

    private Finding notFound() {
        boolean isPath = spec.command().contains("/");
        String install = COMES_WITH.containsKey(spec.command())
                ? "install " + COMES_WITH.get(spec.command()) + ", which brings it, or give its whole path"
                : "install it, or give its whole path";
        Finding finding = Finding.fail(
                Check.COMMAND,
                Ailment.COMMAND_NOT_FOUND,
                isPath ? "there is no file " + spec.command() : spec.command() + " is in no folder of the PATH");
        return isPath
                ? finding.mendedBy(patient.place("command") + ": correct the path of \"command\"")
                : finding.shownBy(List.of("PATH of the server: " + path))
                        .mendedBy(patient.place("command") + ": " + install + "; `command -v "
                                + FuseboxCommand.quoted(spec.command()) + "` tells that in your shell");
    }
}
