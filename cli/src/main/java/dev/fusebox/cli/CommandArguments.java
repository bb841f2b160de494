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

/// The words after a command: names, and options with and without a value. Immutable.
///
/// @param names words that are no options
/// @param flags options without a value
/// @param values of the other options, in their order
record CommandArguments(List<String> names, Set<String> flags, Map<String, List<String>> values) {
    /// What a command takes.
    ///
    /// @param command its name
    /// @param flags options without a value
    /// @param valued options with one that may be given once
    /// @param repeated options with a value that may be given several times
    /// @param names after so many words that are no options, all that follow are taken as they are
    record Grammar(String command, Set<String> flags, Set<String> valued, Set<String> repeated, int names) {
        /// For a command whose options may stand anywhere, and each of them once.
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

    /// Complains of an option that was given before.
    ///
    /// @param isFirst whether it was not
    static void once(String option, boolean isFirst) throws ServeOptions.Problem {
        if (!isFirst) {
            throw new ServeOptions.Problem(option + " is given twice; it may be given once");
        }
    }

    private static String value(String option, Iterator<String> rest) throws ServeOptions.Problem {
        if (!rest.hasNext()) {
            throw new ServeOptions.Problem(option + " needs a value");
        }
        return rest.next();
    }

    /// For a word that a command does not take: its help knows what it might have been.
    static ServeOptions.Problem unknown(String command, String word) {
        String guess = SpellingSuggestion.nearest(word, HelpTexts.read().options(command))
                .map(near -> "did you mean \"" + near + "\"?")
                .orElse("`" + FuseboxCommand.of("help", command) + "` shows what it takes");
        return new ServeOptions.Problem(command + " does not know \"" + word + "\"; " + guess);
    }

    /// For the first word after a command that has several things to do, when it is none of them, or there is
    /// none.
    ///
    /// @param usage what is said if nothing is near
    static ServeOptions.Problem unknownAction(String command, String word, List<String> actions, String usage) {
        String said = SpellingSuggestion.nearest(word, actions)
                .map(near -> command + " does not know \"" + word + "\"; did you mean \"" + near + "\"?")
                .orElse(usage);
        return new ServeOptions.Problem(said);
    }

    boolean has(String flag) {
        return flags.contains(flag);
    }

    /// The value of an option that may be given once; null if it was not given.
    @Nullable
    String value(String option) {
        List<String> given = values.getOrDefault(option, List.of());
        return given.isEmpty() ? null : given.getFirst();
    }

    /// Those of these options that were given, as they are typed in a shell, each with a space in front.
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

    /// All values of an option that may be given several times.
    List<String> all(String option) {
        return values.getOrDefault(option, List.of());
    }
}
