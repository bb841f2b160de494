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
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// What each command takes, and examples of it, by the command's name. Immutable.
///
/// It stands in a file of its own, so that `serve` never reads it.
record Help(Map<String, String> texts) {
    private static final String FILE = "help.txt";
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");

    static Help read() {
        try (InputStream in = Help.class.getResourceAsStream(FILE)) {
            return of(in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// @param text in sections that begin with `== NAME`
    private static Help of(String text) {
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
        return new Help(texts);
    }

    Optional<String> of(Command command) {
        return Optional.ofNullable(texts.get(command.name()));
    }

    /// The options that its first paragraph names, in order.
    List<String> options(String command) {
        String usage = texts.getOrDefault(command, "").split("\\R\\R", 2)[0];
        return new ArrayList<>(new TreeSet<>(
                OPTION.matcher(usage).results().map(MatchResult::group).toList()));
    }
}
