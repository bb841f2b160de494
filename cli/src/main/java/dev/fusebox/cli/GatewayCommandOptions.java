package dev.fusebox.cli;

import dev.fusebox.platform.FuseboxCommand;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The options of a command that talks to a running gateway. Immutable.
///
/// @param commandArguments all arguments
/// @param names positional arguments
/// @param gateway the process id of the gateway; null if there is only one
record GatewayCommandOptions(
        CommandArguments commandArguments,
        List<String> names,
        @Nullable Long gateway) {
    private static final String JSON = "--json";
    private static final String GATEWAY = "--gateway";
    private static final String REASON = "--reason";
    private static final String WATCH = "--watch";
    private static final String TOKENS = "--tokens";
    private static final String FOLLOW = "--follow";

    /// The one command that accepts each flag.
    private static final Map<String, String> FLAGS = Map.of(TOKENS, "tools", WATCH, "status", FOLLOW, "logs");

    /// The one command that accepts each option with a value.
    private static final Map<String, String> VALUED =
            Map.of(REASON, "breaker", CallOptions.TIMEOUT, "call", CallOptions.CONFIG, "call");

    GatewayCommandOptions {
        names = List.copyOf(names);
    }

    static GatewayCommandOptions parse(String command, List<String> arguments) throws ServeOptions.Problem {
        CommandArguments.Grammar grammar =
                new CommandArguments.Grammar(command, options(JSON, FLAGS, command), options(GATEWAY, VALUED, command));
        CommandArguments commandArguments;
        try {
            commandArguments = CommandArguments.parse(grammar, arguments);
        } catch (ServeOptions.Problem problem) {
            throw isOfOther(command, arguments).orElse(problem);
        }
        String gateway = commandArguments.value(GATEWAY);
        return new GatewayCommandOptions(
                commandArguments, commandArguments.names(), gateway == null ? null : number(gateway));
    }

    private static Set<String> options(String ofAll, Map<String, String> ofOne, String command) {
        Set<String> options = new HashSet<>(Set.of(ofAll));
        ofOne.forEach((option, only) -> {
            if (only.equals(command)) {
                options.add(option);
            }
        });
        return options;
    }

    /// The error for an option of another command.
    private static Optional<ServeOptions.Problem> isOfOther(String command, List<String> arguments) {
        return List.of(TOKENS, WATCH, REASON).stream()
                .filter(arguments::contains)
                .map(option -> Map.entry(option, FLAGS.getOrDefault(option, VALUED.getOrDefault(option, ""))))
                .filter(each -> !each.getValue().equals(command))
                .findFirst()
                .map(each -> new ServeOptions.Problem(each.getKey() + " is only valid for " + each.getValue()));
    }

    private static Long number(String text) throws ServeOptions.Problem {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException none) {
            throw new ServeOptions.Problem("invalid --gateway \"" + text + "\": must be a process id; `"
                    + FuseboxCommand.of("status") + "` lists the running gateways");
        }
    }

    /// A copy without the first name.
    GatewayCommandOptions rest() {
        return new GatewayCommandOptions(
                commandArguments, names.subList(Math.min(1, names.size()), names.size()), gateway);
    }

    boolean asJson() {
        return commandArguments.has(JSON);
    }

    /// Whether `--watch` is given.
    boolean isWatching() {
        return commandArguments.has(WATCH);
    }

    /// Whether `--tokens` is given.
    boolean isCounting() {
        return commandArguments.has(TOKENS);
    }

    /// Whether `--follow` is given.
    boolean isFollowing() {
        return commandArguments.has(FOLLOW);
    }

    /// The operator's reason; null if there is none.
    @Nullable
    String reason() {
        return commandArguments.value(REASON);
    }
}
