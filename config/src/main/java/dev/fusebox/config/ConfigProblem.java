package dev.fusebox.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An error or a warning about a configuration. Immutable. Shows no value that may be a secret.
///
/// @param file the name of the file
/// @param line from 1; 0 if it has no line, such as a missing file
/// @param column in characters, from 1; 0 if it has no line
/// @param pointer to what is wrong (RFC 6901); empty for the whole file
/// @param message what is wrong and what to do, as a sentence without its subject
/// @param guess what was probably meant; null if no word is similar
/// @param isOfKeyring whether it refers to a secret that the keyring, or a program of the operator, does not give
public record ConfigProblem(
        String file,
        int line,
        int column,
        String pointer,
        String message,
        @Nullable String guess,
        boolean isOfKeyring) {
    /// A longer pointer contains a pasted text instead of a name.
    private static final int LONGEST_POINTER = 200;

    private static final Pattern IN_SERVER = Pattern.compile("/(mcpServers|servers)/(?<name>[^/]*)");

    /// The name of the server concerned, as written in the file; null if it concerns no single server.
    public @Nullable String server() {
        Matcher inside = IN_SERVER.matcher(pointer);
        return inside.lookingAt() ? inside.group("name").replace("~1", "/").replace("~0", "~") : null;
    }

    /// One line: `file:line:column: pointer message; did you mean "guess"?`
    @Override
    public String toString() {
        String place = line == 0 ? file : file + ":" + line + ":" + column;
        String subject = pointer.isEmpty() ? "the configuration" : PrintableText.cut(pointer, LONGEST_POINTER);
        String question = guess == null ? "" : "; did you mean \"" + guess + "\"?";
        return PrintableText.of(place + ": " + subject + " " + message + question);
    }
}
