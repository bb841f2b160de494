package dev.fusebox.cli;

import dev.fusebox.gateway.config.ConfigSchema;
import dev.fusebox.gateway.config.Overrides;
import dev.fusebox.gateway.config.Reading;
import dev.fusebox.world.FuseboxCommand;
import dev.fusebox.world.World;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The command `config`: what a configuration means or what is wrong with it, and what may stand in one. Reads the file
/// and nothing else.
final class Config {
    private final World world;

    Config(World world) {
        this.world = world;
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
        Path named = null;
        boolean asJson = false;
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            switch (word) {
                case "--json" -> asJson = true;
                case "--config" -> named = path(rest.hasNext() ? rest.next() : null);
                default -> throw unknown(word);
            }
        }
        ConfigPlace place = ConfigPlace.find(named, world).told(screen);
        Reading reading = place.read(world, Overrides.NONE);
        ConfigReport report = new ConfigReport(place.file(), reading);
        if (asJson) {
            screen.out().println(report.json());
        } else {
            report.lines().forEach(screen.out()::println);
        }
        return reading.problems().isEmpty() ? Exit.DONE : Exit.USAGE;
    }

    /// What is no option is most likely meant to be the file.
    private static ServeOptions.Problem unknown(String word) {
        return word.startsWith("-")
                ? Words.unknown("config", word)
                : new ServeOptions.Problem(
                        "config check does not know \"" + word + "\"; did you mean --config " + word + "?");
    }

    static Path path(@Nullable String text) throws ServeOptions.Problem {
        if (text == null) {
            throw new ServeOptions.Problem("--config needs a value");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException unusable) {
            throw new ServeOptions.Problem("--config cannot be used: " + unusable.getReason());
        }
    }
}
