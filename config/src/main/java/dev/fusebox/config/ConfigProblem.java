package dev.fusebox.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Something that is wrong with a configuration, or may be. Immutable. Shows no value that may be a secret.
///
/// @param file that it stands in
/// @param line from 1; 0 if it stands in no line, such as a file that is not there
/// @param column in characters, from 1; 0 if it stands in no line
/// @param pointer to what is wrong (RFC 6901); empty for the whole file
/// @param message what is wrong there, as what follows "it", and what to do
/// @param guess what was probably meant; null if nothing comes near
public record ConfigProblem(
        String file,
        int line,
        int column,
        String pointer,
        String message,
        @Nullable String guess) {
    /// Longer ones hold a name that somebody pasted something else into.
    private static final int LONGEST_POINTER = 200;

    private static final Pattern IN_SERVER = Pattern.compile("/(mcpServers|servers)/(?<name>[^/]*)");

    /// The server that it is about, as it is written; null if it is about more than one.
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
