package dev.fusebox.cli;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.edit.JsonEditor;
import dev.fusebox.config.edit.Unreadable;
import dev.fusebox.gateway.approval.ConfigRejection;
import dev.fusebox.gateway.approval.ProjectConfig;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The command `allow`, which shows what a project's `.mcp.json` runs and records that its current content may be
/// used without `--config`. For one thread; blocks on disk I/O.
final class AllowCommand {
    private static final CommandArguments.Grammar GRAMMAR =
            new CommandArguments.Grammar("allow", Set.of("--json"), Set.of());

    private final Platform platform;

    AllowCommand(Platform platform) {
        this.platform = platform;
    }

    ExitStatus run(List<String> arguments, CommandOutput output) {
        try {
            CommandArguments commandArguments = CommandArguments.parse(GRAMMAR, arguments);
            return allow(ProjectConfig.at(platform, file(commandArguments.names())), commandArguments, output);
        } catch (ServeOptions.Problem | Unreadable problem) {
            output.err().println("fusebox: " + OutputText.plain(problem.getMessage()));
            return ExitStatus.USAGE;
        } catch (IOException failed) {
            output.err().println("fusebox: file not allowed: " + OutputText.plain(FileErrorText.text(failed)));
            return ExitStatus.FAILED;
        }
    }

    private static Path file(List<String> names) throws ServeOptions.Problem {
        if (names.size() > 1) {
            throw new ServeOptions.Problem("allow takes one file; unexpected argument \"" + names.get(1) + "\"");
        }
        Path file = names.isEmpty() ? Path.of(ConfigFile.PROJECT) : ConfigCommand.path(names.getFirst());
        if (!Path.of(ConfigFile.PROJECT).equals(file.getFileName())) {
            throw new ServeOptions.Problem(
                    file + " is not named " + ConfigFile.PROJECT + "; other files need no approval, use --config FILE");
        }
        if (!Files.exists(file)) {
            throw new ServeOptions.Problem(file.toAbsolutePath().normalize() + " does not exist");
        }
        return file;
    }

    /// Reads the file once, so that the content that is shown is the content that is allowed.
    private ExitStatus allow(ProjectConfig project, CommandArguments commandArguments, CommandOutput output)
            throws IOException, Unreadable {
        Optional<ConfigRejection> unsafe = project.unsafe();
        if (unsafe.isPresent()) {
            throw new IOException(project.path() + " " + unsafe.get());
        }
        byte[] text = project.read();
        if (ConfigFile.read(HostEnvironments.ofUnapproved(platform), project.path(), text)
                instanceof ReadResult.Refused refused) {
            refused.lines().forEach(line -> output.err().println("fusebox: " + line));
            output.err().println("fusebox: file not allowed");
            return ExitStatus.USAGE;
        }
        LaunchList launches = LaunchList.of(JsonEditor.parse(text));
        project.allow(text);
        if (commandArguments.has("--json")) {
            JsonWriter json = new JsonWriter().beginObject();
            json.name("file").string(project.path().toString()).name("allowed").bool(true);
            launches.write(json);
            output.out().println(json.endObject());
            return ExitStatus.DONE;
        }
        output.out().println(OutputText.plain(project.path() + " runs"));
        launches.lines().forEach(line -> output.out().println("  " + OutputText.plain(line)));
        output.out()
                .println("Allowed: commands started in this folder use the file until it changes. The programs"
                        + " that it runs are not checked.");
        return ExitStatus.DONE;
    }
}
