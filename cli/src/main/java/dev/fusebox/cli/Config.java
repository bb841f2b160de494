package dev.fusebox.cli;

import dev.fusebox.gateway.config.ConfigSchema;
import dev.fusebox.gateway.config.Overrides;
import dev.fusebox.gateway.config.ReadResult;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The command `config`: what a configuration means or what is wrong with it, and what may stand in one. Reads the
/// file and nothing else.
final class Config {
    private static final Words.Grammar CHECK = new Words.Grammar("config", Set.of("--json"), Set.of("--config"));

    private final Platform platform;

    Config(Platform platform) {
        this.platform = platform;
    }

    Exit run(List<String> arguments, Screen screen) {
        try {
            String action = arguments.isEmpty() ? "" : arguments.getFirst();
            List<String> rest = arguments.isEmpty() ? arguments : arguments.subList(1, arguments.size());
            return switch (action) {
                case "check" -> check(rest, screen);
                case "schema" -> schema(rest, screen);
                default ->
                    throw Words.unknownAction(
                            "config",
                            action,
                            List.of("check", "schema"),
                            "config takes check or schema; `" + FuseboxCommand.of("config", "--help") + "` shows more");
            };
        } catch (ServeOptions.Problem problem) {
            screen.err().println("fusebox: " + problem.getMessage());
            return Exit.USAGE;
        }
    }

    private static Exit schema(List<String> rest, Screen screen) throws ServeOptions.Problem {
        if (!rest.isEmpty()) {
            throw new ServeOptions.Problem("config schema takes nothing, found \"" + rest.getFirst() + "\"");
        }
        screen.out().println(ConfigSchema.json());
        return Exit.DONE;
    }

    private Exit check(List<String> words, Screen screen) throws ServeOptions.Problem {
        Words read = Words.parse(CHECK, words);
        if (!read.names().isEmpty()) {
            String word = read.names().getFirst();
            throw new ServeOptions.Problem(
                    "config check does not know \"" + word + "\"; did you mean --config " + word + "?");
        }
        ConfigPlace place = ConfigPlace.find(named(read), platform).told(screen);
        ReadResult readResult = place.read(platform, Overrides.NONE);
        ConfigReport report = new ConfigReport(place.file(), readResult);
        if (read.has("--json")) {
            screen.out().println(report.json());
        } else {
            report.lines().forEach(screen.out()::println);
        }
        return readResult.problems().isEmpty() ? Exit.DONE : Exit.USAGE;
    }

    /// The file that `--config` names; null if it was not given.
    static @Nullable Path named(Words words) throws ServeOptions.Problem {
        String file = words.value("--config");
        return file == null ? null : path(file);
    }

    static Path path(String text) throws ServeOptions.Problem {
        try {
            return Path.of(text);
        } catch (InvalidPathException unusable) {
            throw new ServeOptions.Problem("--config cannot be used: " + unusable.getReason());
        }
    }
}
