package dev.fusebox.gateway.provision;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Words as a person may give them to a shell. Pure functions.
final class ShellWords {
    /// What no shell reads as anything else than itself, wherever it stands.
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9@%+:,./_-][A-Za-z0-9@%+=:,./_-]*");

    private ShellWords() {}

    /// All of them on one line; each arrives at the program as it is.
    static String joined(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return HARMLESS.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
