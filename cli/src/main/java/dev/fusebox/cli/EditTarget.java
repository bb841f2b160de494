package dev.fusebox.cli;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.ServerName;
import dev.fusebox.config.edit.Unreadable;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The file that a command edits, and the gateways that do not read it. Immutable; finding it queries the running
/// gateways, which blocks for a few seconds at most.
///
/// @param path of the file
/// @param isGateways whether it was chosen because all running gateways use it
/// @param usual the file that the command edits if no gateway is running
/// @param running the files of running gateways
record EditTarget(Path path, boolean isGateways, Path usual, List<RunningGateways.InUse> running) {
    EditTarget {
        running = List.copyOf(running);
    }

    /// The named file; otherwise the file that all running gateways use, whose servers the user sees in `status`;
    /// otherwise the user's own. A project file is shared with others and is edited only if it is named. A server
    /// that exists only in the user's own file is edited there.
    ///
    /// @param isNew whether the server is to be added
    static EditTarget of(CommandArguments commandArguments, boolean isNew, Platform platform)
            throws ServeOptions.Problem {
        Path usual = EditedFile.path(commandArguments, platform);
        List<RunningGateways.InUse> running = RunningGateways.files(platform);
        boolean isNamed = commandArguments.value("--config") != null || commandArguments.has(EditedFile.PROJECT);
        Optional<Path> other = isNamed
                ? Optional.empty()
                : RunningGateways.otherThan(usual, running)
                        .map(RunningGateways.InUse::file)
                        .filter(file -> !Path.of(ConfigFile.PROJECT).equals(file.getFileName()));
        String server = commandArguments.names().getFirst();
        boolean isOther = other.isPresent() && (isNew || !has(usual, server) || has(other.get(), server));
        return new EditTarget(isOther ? other.get() : usual, isOther, usual, running);
    }

    static boolean has(Path file, String server) {
        try {
            return EditedFile.open(file).names().stream()
                    .anyMatch(written -> written.equals(server)
                            || ServerName.of(written).id().equals(server));
        } catch (IOException | Unreadable none) {
            return false;
        }
    }

    /// The command as it was typed.
    ///
    /// @param arguments all arguments
    /// @param commandArguments the parsed arguments
    /// @param mayBeShown whether nothing in it looks like a secret
    record TypedCommand(String command, List<String> arguments, CommandArguments commandArguments, boolean mayBeShown) {
        /// The command for another file; empty if it would have no effect there. `--config` comes first, because
        /// all arguments after a new server's name belong to its command.
        Optional<String> on(Path file) {
            boolean isThere = has(file, commandArguments.names().getFirst());
            if (!mayBeShown || isThere == command.equals("add")) {
                return Optional.empty();
            }
            List<String> typed = new ArrayList<>(List.of(command, "--config", file.toString()));
            List<String> rest = new ArrayList<>(arguments);
            if (commandArguments.value("--config") != null) {
                int at = rest.indexOf("--config");
                rest.subList(at, at + 2).clear();
            }
            if (commandArguments.has(EditedFile.PROJECT)) {
                rest.remove(EditedFile.PROJECT);
            }
            typed.addAll(rest);
            return Optional.of("`" + FuseboxCommand.of(typed.toArray(String[]::new)) + "` changes " + file);
        }
    }

    /// A note on why this file was chosen, or which gateways do not use it and how to edit theirs; empty if there
    /// is nothing to say.
    Optional<String> readers(TypedCommand typedCommand) {
        if (isGateways) {
            String other = typedCommand.on(usual).map(command -> "; " + command).orElse("");
            return Optional.of(running.getFirst().uses() + " this file" + other);
        }
        if (running.isEmpty() || running.stream().anyMatch(each -> each.is(path))) {
            return Optional.empty();
        }
        return Optional.of("no running gateway uses this file; "
                + running.stream()
                        .map(each -> each.uses() + " " + each.file()
                                + typedCommand
                                        .on(each.file())
                                        .map(command -> ", and " + command)
                                        .orElse(""))
                        .collect(Collectors.joining("; ")));
    }
}
