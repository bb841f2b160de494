package dev.fusebox.cli;

import dev.fusebox.config.ConfigSchema;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The command `config`, which validates a configuration or prints its JSON Schema. Only reads the file.
final class ConfigCommand {
    private static final CommandArguments.Grammar CHECK =
            new CommandArguments.Grammar("config", Set.of("--json"), Set.of("--config"));

    private final Platform platform;

    ConfigCommand(Platform platform) {
        this.platform = platform;
    }

    ExitStatus run(List<String> arguments, CommandOutput output) {
        try {
            String action = arguments.isEmpty() ? "" : arguments.getFirst();
            List<String> rest = arguments.isEmpty() ? arguments : arguments.subList(1, arguments.size());
            return switch (action) {
                case "check" -> check(rest, output);
                case "schema" -> schema(rest, output);
                default ->
                    throw CommandArguments.unknownAction(
                            "config",
                            action,
                            List.of("check", "schema"),
                            "usage: config check|schema; see `" + FuseboxCommand.of("config", "--help") + "`");
            };
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        }
    }

    private static ExitStatus schema(List<String> rest, CommandOutput output) throws ServeOptions.Problem {
        if (!rest.isEmpty()) {
            throw new ServeOptions.Problem("unknown argument \"" + rest.getFirst() + "\" for config schema");
        }
        output.out().println(ConfigSchema.json());
        return ExitStatus.DONE;
    }

    private ExitStatus check(List<String> words, CommandOutput output) throws ServeOptions.Problem {
        CommandArguments read = CommandArguments.parse(CHECK, words);
        if (!read.names().isEmpty()) {
            String word = read.names().getFirst();
            throw new ServeOptions.Problem(
                    "unknown argument \"" + word + "\" for config check; did you mean --config " + word + "?");
        }
        ConfigPlace place = ConfigPlace.find(named(read), platform).printed(output);
        ReadResult readResult = place.read(platform, Overrides.NONE);
        ConfigReport report = new ConfigReport(place.file(), readResult);
        if (read.has("--json")) {
            output.out().println(report.json());
        } else {
            report.lines().forEach(output.out()::println);
        }
        return readResult.problems().isEmpty() ? ExitStatus.DONE : ExitStatus.USAGE;
    }

    /// The file of `--config`; null if it was not given.
    static @Nullable Path named(CommandArguments commandArguments) throws ServeOptions.Problem {
        String file = commandArguments.value("--config");
        return file == null ? null : path(file);
    }

    static Path path(String text) throws ServeOptions.Problem {
        try {
            return Path.of(text);
        } catch (InvalidPathException unusable) {
            throw new ServeOptions.Problem("invalid path: " + unusable.getReason());
        }
    }
}
