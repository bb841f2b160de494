package dev.fusebox.cli;

import dev.fusebox.platform.FuseboxCommand;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What was asked of a command that speaks to a running gateway. Immutable.
///
/// @param commandArguments all that was typed
/// @param names words that are no options
/// @param gateway whose process is meant; null if there is only one
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

    /// The only command that takes an option without a value.
    private static final Map<String, String> FLAGS = Map.of(TOKENS, "tools", WATCH, "status", FOLLOW, "logs");

    /// The only command that takes an option with a value.
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

    /// An option that another command takes.
    private static Optional<ServeOptions.Problem> isOfOther(String command, List<String> arguments) {
        return List.of(TOKENS, WATCH, REASON).stream()
                .filter(arguments::contains)
                .map(option -> Map.entry(option, FLAGS.getOrDefault(option, VALUED.getOrDefault(option, ""))))
                .filter(each -> !each.getValue().equals(command))
                .findFirst()
                .map(each -> new ServeOptions.Problem(each.getKey() + " is for " + each.getValue()));
    }

    private static Long number(String text) throws ServeOptions.Problem {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException none) {
            throw new ServeOptions.Problem("--gateway is \"" + text + "\"; it must be the number of a process, as `"
                    + FuseboxCommand.of("status") + "` shows it");
        }
    }

    /// The same without the first name.
    GatewayCommandOptions rest() {
        return new GatewayCommandOptions(
                commandArguments, names.subList(Math.min(1, names.size()), names.size()), gateway);
    }

    boolean asJson() {
        return commandArguments.has(JSON);
    }

    /// Whether it is asked again and again.
    boolean isWatching() {
        return commandArguments.has(WATCH);
    }

    /// Whether it is told what things cost a model.
    boolean isCounting() {
        return commandArguments.has(TOKENS);
    }

    /// Whether what is written later is wanted, too.
    boolean isFollowing() {
        return commandArguments.has(FOLLOW);
    }

    /// The operator's reason; null if there is none.
    @Nullable
    String reason() {
        return commandArguments.value(REASON);
    }
}
