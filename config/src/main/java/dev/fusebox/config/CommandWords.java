package dev.fusebox.config;

import dev.fusebox.protocol.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A whole command line in `command`, as typed into a shell. Immutable.
///
/// @param program its first word
/// @param args the others
public record CommandWords(String program, List<String> args) {
    /// Quotes are removed as in a shell; no other character is special.
    private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|'[^']*'|[^\\s\"'])+");

    private static final Pattern QUOTES = Pattern.compile("\"([^\"]*)\"|'([^']*)'");

    public CommandWords {
        args = List.copyOf(args);
    }

    /// The words of a text; empty if it is a single word.
    public static Optional<CommandWords> of(String text) {
        List<String> words = WORD.matcher(text)
                .results()
                .map(word -> QUOTES.matcher(word.group())
                        .replaceAll(quoted ->
                                Matcher.quoteReplacement(quoted.group(1) == null ? quoted.group(2) : quoted.group(1))))
                .toList();
        return words.size() < 2
                ? Optional.empty()
                : Optional.of(new CommandWords(words.getFirst(), words.subList(1, words.size())));
    }

    /// Whether the program is a plain name, which is looked up on the PATH. Paths may contain blanks.
    boolean isNamed() {
        return program.matches("[A-Za-z0-9_.+-]+");
    }

    /// The members that start it.
    ///
    /// @param others arguments that follow its own
    public String members(List<String> others) {
        List<String> all = new ArrayList<>(args);
        all.addAll(others);
        return "\"command\": " + JsonWriter.quoted(program) + ", \"args\": " + array(all.stream());
    }

    /// The whole command as a JSON array.
    String list() {
        return array(Stream.concat(Stream.of(program), args.stream()));
    }

    /// Texts as a JSON array, formatted for people.
    public static String array(Stream<String> texts) {
        return texts.map(JsonWriter::quoted).collect(Collectors.joining(", ", "[", "]"));
    }
}
