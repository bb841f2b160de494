package dev.fusebox.cli;

import dev.fusebox.world.FuseboxCommand;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What was asked of a command that speaks to a running gateway. Immutable.
///
/// @param names words that are no options
/// @param gateway whose process is meant; null if there is only one
/// @param reason in the words of whoever asks
/// @param isWatching whether it is asked again and again
/// @param isCounting whether it is told what things cost a model
record SteeringWords(
        List<String> names,
        boolean asJson,
        @Nullable Long gateway,
        @Nullable String reason,
        boolean isWatching,
        boolean isCounting) {
    SteeringWords {
        names = List.copyOf(names);
    }

    static SteeringWords parse(String command, List<String> words) throws ServeOptions.Problem {
        List<String> names = new ArrayList<>();
        boolean asJson = false;
        boolean isWatching = false;
        boolean isCounting = false;
        Long gateway = null;
        String reason = null;
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            switch (word) {
                case "--json" -> asJson = true;
                case "--tokens" -> isCounting = isFor("tools", command, word);
                case "--watch" -> isWatching = isFor("status", command, word);
                case "--gateway" -> gateway = number(value(word, rest));
                case "--reason" -> reason = isFor("breaker", command, word) ? value(word, rest) : null;
                default -> names.add(name(command, word));
            }
        }
        return new SteeringWords(names, asJson, gateway, reason, isWatching, isCounting);
    }

    private static boolean isFor(String only, String command, String option) throws ServeOptions.Problem {
        if (!command.equals(only)) {
            throw new ServeOptions.Problem(option + " is for " + only);
        }
        return true;
    }

    private static String value(String option, Iterator<String> rest) throws ServeOptions.Problem {
        if (!rest.hasNext()) {
            throw new ServeOptions.Problem(option + " needs a value");
        }
        return rest.next();
    }

    private static Long number(String text) throws ServeOptions.Problem {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException none) {
            throw new ServeOptions.Problem("--gateway is \"" + text + "\"; it must be the number of a process, as `"
                    + FuseboxCommand.of("status") + "` shows it");
        }
    }

    private static String name(String command, String word) throws ServeOptions.Problem {
        if (word.startsWith("--")) {
            throw Words.unknown(command, word);
        }
        return word;
    }
}
