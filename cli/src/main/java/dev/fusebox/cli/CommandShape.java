package dev.fusebox.cli;

import dev.fusebox.config.CommandWords;
import dev.fusebox.config.LiteralSecrets;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Validation of the command of `add`: a URL, or a whole command line in one word, is rejected with the command
/// that was probably meant. Stateless; checking for a file blocks on disk I/O.
final class CommandShape {
    private static final Pattern ADDRESS = Pattern.compile("(?i)([a-z][a-z0-9+.-]*://|unix:/).*");

    /// Shell syntax.
    private static final Pattern OF_SHELL = Pattern.compile("[|&;<>`]|\\$[({A-Za-z_]");

    private CommandShape() {}

    /// @param commandArguments of `add`, with a name and a command
    /// @throws ServeOptions.Problem if the command is a URL or a command line
    static void check(CommandArguments commandArguments) throws ServeOptions.Problem {
        String name = commandArguments.names().get(0);
        String command = commandArguments.names().get(1);
        if (ADDRESS.matcher(command).matches()) {
            throw new ServeOptions.Problem("\"" + command + "\" is a URL, not a command; use `"
                    + FuseboxCommand.of("add", name, "--url", command)
                    + commandArguments.typed("--config", EditedFile.PROJECT) + "`");
        }
        if (command.matches("(?s).*\\s.*") && !isFile(command)) {
            throw new ServeOptions.Problem(
                    "\"" + command + "\" is a command line, not a program; pass its words separately: `"
                            + FuseboxCommand.of("add", name) + options(commandArguments) + typed(commandArguments)
                            + "`");
        }
    }

    private static boolean isFile(String command) {
        try {
            return Files.exists(Path.of(command));
        } catch (InvalidPathException none) {
            return false;
        }
    }

    /// Values that look like secrets are not repeated.
    private static String options(CommandArguments commandArguments) {
        JsonWriter entry = new JsonWriter().beginObject().name("server").beginObject();
        entry.name("command").string("x").name("env").beginObject();
        for (String pair : commandArguments.all("--env")) {
            int is = Math.max(0, pair.indexOf('='));
            entry.name(pair.substring(0, is)).string(pair.substring(is + (is == 0 ? 0 : 1)));
        }
        String json = entry.endObject().endObject().endObject().toString();
        String env = LiteralSecrets.areIn(JsonView.of(json)) ? " --env ..." : commandArguments.typed("--env");
        return env + commandArguments.typed("--cwd", "--config", EditedFile.PROJECT);
    }

    private static String typed(CommandArguments commandArguments) {
        String command = commandArguments.names().get(1);
        List<String> rest =
                commandArguments.names().subList(2, commandArguments.names().size());
        List<String> meant = new ArrayList<>();
        if (OF_SHELL.matcher(command).find()) {
            meant.addAll(List.of("sh", "-c", command));
        } else {
            CommandWords.of(command).ifPresent(line -> {
                meant.add(line.program());
                meant.addAll(line.args());
            });
        }
        meant.addAll(rest);
        StringBuilder typed = new StringBuilder();
        meant.forEach(word -> typed.append(' ').append(FuseboxCommand.quoted(word)));
        return typed.toString();
    }
}
