package dev.fusebox.cli;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.ProfileConfig;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The command `profile list`, which shows the profiles of a configuration. Only reads the file.
final class ProfileCommand {
    private static final CommandArguments.Grammar LIST =
            new CommandArguments.Grammar("profile", Set.of("--json"), Set.of("--config"));

    private final Platform platform;

    ProfileCommand(Platform platform) {
        this.platform = platform;
    }

    ExitStatus run(List<String> arguments, CommandOutput output) {
        try {
            String action = arguments.isEmpty() ? "" : arguments.getFirst();
            if (!action.equals("list")) {
                throw CommandArguments.unknownAction(
                        "profile",
                        action,
                        List.of("list"),
                        "usage: profile list; see `" + FuseboxCommand.of("profile", "--help") + "`");
            }
            return list(CommandArguments.parse(LIST, arguments.subList(1, arguments.size())), output);
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        }
    }

    private ExitStatus list(CommandArguments read, CommandOutput output) throws ServeOptions.Problem {
        if (!read.names().isEmpty()) {
            throw new ServeOptions.Problem("unknown argument \"" + read.names().getFirst() + "\" for profile list");
        }
        ConfigPlace place = ConfigPlace.findRunning(ConfigCommand.named(read), platform, output);
        ReadResult result = place.readWithoutSecrets(platform);
        if (!(result instanceof ReadResult.Usable usable)) {
            result.lines().forEach(line -> output.err().println("fusebox: " + line));
            return ExitStatus.USAGE;
        }
        Configuration configuration = usable.configuration();
        if (read.has("--json")) {
            output.out().println(json(configuration));
        } else if (configuration.profiles().isEmpty()) {
            output.out().println("no profiles");
        } else {
            configuration
                    .profiles()
                    .forEach((name, profile) -> output.out().println(line(name, profile, configuration)));
        }
        return ExitStatus.DONE;
    }

    private static List<String> servers(ProfileConfig profile, Configuration configuration) {
        return configuration.in(profile).servers().stream()
                .map(ServerConfig::id)
                .toList();
    }

    private static String expose(ProfileConfig profile, Configuration configuration) {
        return configuration.in(profile).expose().name().toLowerCase(Locale.ROOT);
    }

    private static String line(String name, ProfileConfig profile, Configuration configuration) {
        String excluded = profile.tools().exclude().isEmpty()
                ? ""
                : ", without " + String.join(", ", profile.tools().exclude());
        String included = profile.tools().include().equals(List.of("*"))
                ? ""
                : ", only " + String.join(", ", profile.tools().include());
        return OutputText.plain(name + ": " + String.join(", ", servers(profile, configuration)) + included + excluded
                + " (" + expose(profile, configuration) + ")");
    }

    private static String json(Configuration configuration) {
        JsonWriter json = new JsonWriter().beginObject().name("profiles").beginArray();
        for (Map.Entry<String, ProfileConfig> each : configuration.profiles().entrySet()) {
            ProfileConfig profile = each.getValue();
            json.beginObject()
                    .name("name")
                    .string(each.getKey())
                    .name("servers")
                    .beginArray();
            servers(profile, configuration).forEach(json::string);
            json.endArray().name("expose").string(expose(profile, configuration));
            json.name("tools").beginObject().name("include").beginArray();
            profile.tools().include().forEach(json::string);
            json.endArray().name("exclude").beginArray();
            profile.tools().exclude().forEach(json::string);
            json.endArray().endObject().endObject();
        }
        return json.endArray().endObject().toString();
    }
}
