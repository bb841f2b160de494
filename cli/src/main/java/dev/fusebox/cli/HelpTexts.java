package dev.fusebox.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The help texts of the commands, with examples, by name. Immutable.
///
/// They are in a separate file, which `serve` never reads.
record HelpTexts(Map<String, String> texts) {
    private static final String FILE = "help.txt";
    private static final Pattern CHOICE = Pattern.compile("(--[a-z-]+) ([a-z]+(?:\\|[a-z]+)+)");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");

    static HelpTexts read() {
        try (InputStream in = HelpTexts.class.getResourceAsStream(FILE)) {
            return of(in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// @param text in sections that begin with `== NAME`
    private static HelpTexts of(String text) {
        Map<String, String> texts = new LinkedHashMap<>();
        String name = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("== ")) {
                name = line.substring(3);
            } else {
                texts.merge(name, line, (all, next) -> all + System.lineSeparator() + next);
            }
        }
        texts.replaceAll((command, lines) -> lines.strip());
        return new HelpTexts(texts);
    }

    Optional<String> of(Command command) {
        return Optional.ofNullable(texts.get(command.name()));
    }

    /// The actions that the usage paragraph lists after the command, in order.
    List<String> words(String command) {
        Pattern first = Pattern.compile("\\./fusebox " + command + " ([a-z]+(?:\\|[a-z]+)*)(?= |$)", Pattern.MULTILINE);
        return first.matcher(usage(command))
                .results()
                .flatMap(found -> Stream.of(found.group(1).split("\\|", -1)))
                .distinct()
                .toList();
    }

    /// The values of options with a fixed set of values, by option.
    Map<String, String> choices(String command) {
        Map<String, String> choices = new TreeMap<>();
        CHOICE.matcher(usage(command))
                .results()
                .forEach(found -> choices.put(found.group(1), found.group(2).replace('|', ' ')));
        return choices;
    }

    private String usage(String command) {
        return texts.getOrDefault(command, "").split("\\R\\R", 2)[0];
    }

    /// The options in the usage paragraph, sorted.
    List<String> options(String command) {
        return new ArrayList<>(new TreeSet<>(
                OPTION.matcher(usage(command)).results().map(MatchResult::group).toList()));
    }
}
