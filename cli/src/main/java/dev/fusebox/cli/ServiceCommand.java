package dev.fusebox.cli;

import dev.fusebox.client.process.ProgramResult;
import dev.fusebox.client.process.ProgramRun;
import dev.fusebox.client.process.UserProgram;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The command `service`, which has the service manager of the system run the gateway for this user: systemd on
/// Linux, launchd on macOS. Blocks while the manager works, for some seconds at most.
final class ServiceCommand {
    private static final CommandArguments.Grammar GRAMMAR =
            new CommandArguments.Grammar("service", Set.of("--json"), Set.of("--config", "--port"));

    private static final String OURS = "Written by Fusebox";
    private static final ProgramRun.Limits LIMITS = new ProgramRun.Limits(Duration.ofSeconds(20), 64 << 10);

    private final Platform platform;
    private final CommandOutput output;

    ServiceCommand(Platform platform, CommandOutput output) {
        this.platform = platform;
        this.output = output;
    }

    ExitStatus run(List<String> arguments) {
        try {
            String action = arguments.isEmpty() ? "" : arguments.getFirst();
            if (!List.of("install", "remove", "status").contains(action)) {
                throw CommandArguments.unknownAction(
                        "service",
                        action,
                        List.of("install", "remove", "status"),
                        "usage: service install|remove|status; see `" + FuseboxCommand.of("service", "--help") + "`");
            }
            CommandArguments read = CommandArguments.parse(GRAMMAR, arguments.subList(1, arguments.size()));
            if (!read.names().isEmpty()) {
                throw new ServeOptions.Problem(
                        "unknown argument \"" + read.names().getFirst() + "\" for service " + action);
            }
            ServiceUnit unit = ServiceUnit.of(platform);
            if (unit == null) {
                output.err()
                        .println("fusebox: this system has no service manager that Fusebox knows (systemd, launchd)");
                return ExitStatus.FAILED;
            }
            return switch (action) {
                case "install" -> install(unit, read);
                case "remove" -> remove(unit, read);
                default -> status(unit, read);
            };
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (IOException failed) {
            output.err().println("fusebox: " + failed.getMessage());
            return ExitStatus.FAILED;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ExitStatus.FAILED;
        }
    }

    private ExitStatus install(ServiceUnit unit, CommandArguments read)
            throws ServeOptions.Problem, IOException, InterruptedException {
        String launcher = System.getProperty("fusebox.launcher");
        if (launcher == null) {
            throw new ServeOptions.Problem("a service can be installed only by the launcher of Fusebox");
        }
        Path named = ConfigCommand.named(read);
        Path config = ConfigPlace.find(named, platform).file().toAbsolutePath().normalize();
        List<String> command =
                new ArrayList<>(List.of(launcher, "serve", "--transport", "http", "--share", "auto", "--config"));
        command.add(config.toString());
        String port = read.value("--port");
        if (port != null) {
            ServeOptions.parse(List.of("--transport", "http", "--port", port));
            if (port.equals("0")) {
                throw new ServeOptions.Problem("--port 0 means any free port, which clients cannot know; name a port");
            }
            command.addAll(List.of("--port", port));
        }
        requireOurs(unit.file());
        Files.createDirectories(unit.file().getParent());
        Files.writeString(unit.file(), unit.text(command, variables()));
        String failure = execute(unit.start());
        report(
                read,
                failure == null ? "running" : "written",
                failure == null
                        ? "the service runs, and starts with each login of this user: " + unit.file()
                        : "wrote " + unit.file() + "; it does not run yet: " + failure
                                + "; without a service manager, `" + FuseboxCommand.of("serve", "--transport", "http")
                                + "` runs a gateway");
        return failure == null ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /// The variables by which the programs of servers and the home of Fusebox are found.
    private SortedMap<String, String> variables() {
        SortedMap<String, String> variables = new TreeMap<>(platform.environment());
        variables.keySet().retainAll(Set.of("PATH", "FUSEBOX_HOME"));
        return variables;
    }

    /// A file that a person has written is neither replaced nor deleted.
    private static void requireOurs(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                && (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        || !Files.readString(file).contains(OURS))) {
            throw new IOException(file + " was not written by Fusebox; remove it first");
        }
    }

    private ExitStatus remove(ServiceUnit unit, CommandArguments read) throws IOException, InterruptedException {
        if (!Files.exists(unit.file(), LinkOption.NOFOLLOW_LINKS)) {
            return report(read, "absent", "there is no service");
        }
        requireOurs(unit.file());
        String failure = execute(unit.stop());
        Files.delete(unit.file());
        return report(
                read,
                "removed",
                "removed " + unit.file() + (failure == null ? "" : "; the service could not be stopped: " + failure));
    }

    private ExitStatus status(ServiceUnit unit, CommandArguments read) throws InterruptedException {
        if (!Files.exists(unit.file(), LinkOption.NOFOLLOW_LINKS)) {
            report(
                    read,
                    "absent",
                    "there is no service; `" + FuseboxCommand.of("service", "install") + "` installs it");
            return ExitStatus.FAILED;
        }
        String failure = execute(List.of(unit.query()));
        report(
                read,
                failure == null ? "running" : "stopped",
                failure == null ? "the service runs: " + unit.file() : "the service does not run: " + failure);
        return failure == null ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private ExitStatus report(CommandArguments read, String state, String line) {
        output.out().println(read.has("--json") ? "{\"state\":\"" + state + "\"}" : line);
        return ExitStatus.DONE;
    }

    /// What went wrong; null if all commands succeeded.
    private @Nullable String execute(List<List<String>> commands) throws InterruptedException {
        for (List<String> command : commands) {
            ProgramResult result = ProgramRun.run(platform, UserProgram.of(platform, command), new byte[0], LIMITS);
            String failure = failure(command, result);
            if (failure != null) {
                return failure;
            }
        }
        return null;
    }

    private static @Nullable String failure(List<String> command, ProgramResult result) {
        String words = "`" + String.join(" ", command) + "`";
        return switch (result) {
            case ProgramResult.Exited(int code, String out, String lastError) -> {
                String said = lastError.isEmpty() ? out.strip() : lastError;
                yield code == 0 ? null : words + " exited with " + code + (said.isEmpty() ? "" : ": " + said);
            }
            case ProgramResult.Failed(boolean _, String detail) -> words + ": " + detail;
        };
    }
}
