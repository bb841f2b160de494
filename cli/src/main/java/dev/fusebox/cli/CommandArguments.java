package dev.fusebox.cli;

import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.platform.FuseboxCommand;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The parsed arguments of a command: names, flags and options with values. Immutable.
///
/// @param names positional arguments
/// @param flags options without a value
/// @param values of the other options, in order
record CommandArguments(List<String> names, Set<String> flags, Map<String, List<String>> values) {
    /// The arguments that a command accepts.
    ///
    /// @param command its name
    /// @param flags options without a value
    /// @param valued options with one value
    /// @param repeated options with a value that may be repeated
    /// @param names after so many positional arguments, everything else is positional as well
    record Grammar(String command, Set<String> flags, Set<String> valued, Set<String> repeated, int names) {
        /// A grammar without repeated options, whose options may appear anywhere.
        Grammar(String command, Set<String> flags, Set<String> valued) {
            this(command, flags, valued, Set.of(), Integer.MAX_VALUE);
        }
    }

    static CommandArguments parse(Grammar grammar, List<String> words) throws ServeOptions.Problem {
        List<String> names = new ArrayList<>();
        Set<String> flags = new LinkedHashSet<>();
        Map<String, List<String>> values = new LinkedHashMap<>();
        Iterator<String> rest = words.iterator();
        boolean isPlain = false;
        while (rest.hasNext()) {
            String word = rest.next();
            if (isPlain || names.size() >= grammar.names() || !word.startsWith("-") || word.equals("-")) {
                names.add(word);
            } else if (word.equals("--")) {
                isPlain = true;
            } else if (grammar.flags().contains(word)) {
                once(word, flags.add(word));
            } else if (grammar.valued().contains(word)) {
                once(word, !values.containsKey(word));
                values.put(word, List.of(value(word, rest)));
            } else if (grammar.repeated().contains(word)) {
                values.computeIfAbsent(word, first -> new ArrayList<>()).add(value(word, rest));
            } else {
                throw unknown(grammar.command(), word);
            }
        }
        return new CommandArguments(List.copyOf(names), flags, values);
    }

    /// Rejects a repeated option.
    ///
    /// @param isFirst whether this is its first occurrence
    static void once(String option, boolean isFirst) throws ServeOptions.Problem {
        if (!isFirst) {
            throw new ServeOptions.Problem(option + " is given twice");
        }
    }

    private static String value(String option, Iterator<String> rest) throws ServeOptions.Problem {
        if (!rest.hasNext()) {
            throw new ServeOptions.Problem(option + " needs a value");
        }
        return rest.next();
    }

    /// The error for an unknown argument, with a suggestion from the options in the command's help.
    static ServeOptions.Problem unknown(String command, String word) {
        String guess = SpellingSuggestion.nearest(word, HelpTexts.read().options(command))
                .map(near -> "did you mean \"" + near + "\"?")
                .orElse("see `" + FuseboxCommand.of("help", command) + "`");
        return new ServeOptions.Problem("unknown argument \"" + word + "\" for " + command + "; " + guess);
    }

    /// The error for a missing or unknown action of a command.
    ///
    /// @param usage the message if there is no suggestion
    static ServeOptions.Problem unknownAction(String command, String word, List<String> actions, String usage) {
        String said = SpellingSuggestion.nearest(word, actions)
                .map(near -> "unknown action \"" + word + "\" for " + command + "; did you mean \"" + near + "\"?")
                .orElse(usage);
        return new ServeOptions.Problem(said);
    }

    boolean has(String flag) {
        return flags.contains(flag);
    }

    /// The value of an option; null if it was not given.
    @Nullable
    String value(String option) {
        List<String> given = values.getOrDefault(option, List.of());
        return given.isEmpty() ? null : given.getFirst();
    }

    /// The given options among these, quoted for a shell, each with a space in front.
    String typed(String... options) {
        StringBuilder typed = new StringBuilder();
        for (String option : options) {
            if (has(option)) {
                typed.append(' ').append(option);
            }
            all(option)
                    .forEach(value ->
                            typed.append(' ').append(option).append(' ').append(FuseboxCommand.quoted(value)));
        }
        return typed.toString();
    }

    /// All values of a repeated option.
    List<String> all(String option) {
        return values.getOrDefault(option, List.of());
    }
}
