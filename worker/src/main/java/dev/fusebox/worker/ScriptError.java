package dev.fusebox.worker;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.SourceSection;

/// An error of the script as reported by the engine, with positions in the author's text. Immutable.
///
/// @param kind of error, like `SyntaxError`
/// @param line of the script; 0 if unknown
record ScriptError(String kind, String message, int line) {
    /// The engine puts the kind before every message, and for a syntax error also the position, with lines from 1
    /// and columns from 0. Further lines show the source text, which is not quite the author's.
    private static final Pattern NO_SCRIPT = Pattern.compile(
            "SyntaxError: " + Pattern.quote(AsyncScript.NAME) + ":(?<line>\\d{1,9}):(?<column>\\d{1,9}) (?<what>.*)");

    /// As the engine counts lines.
    private static final Pattern LINE_END = Pattern.compile("\\r\\n|[\\n\\r\\u2028\\u2029]");

    static final ScriptError TOO_DEEP = new ScriptError("RangeError", "the script is nested or recurses too deeply", 0);

    private static final Pattern THROWN = Pattern.compile("(?<kind>[A-Za-z]{1,40}Error): (?<what>.*)", Pattern.DOTALL);

    static ScriptError of(PolyglotException failure, String code) {
        if (failure.isResourceExhausted()) {
            return TOO_DEEP;
        }
        String said = Objects.requireNonNullElse(failure.getMessage(), "the script failed without a message");
        Matcher noScript = NO_SCRIPT.matcher(said);
        if (failure.isSyntaxError() && noScript.lookingAt()) {
            return noScript(noScript, code);
        }
        Matcher thrown = THROWN.matcher(said);
        return thrown.matches()
                ? new ScriptError(thrown.group("kind"), thrown.group("what"), line(failure))
                : new ScriptError("Error", said, line(failure));
    }

    private static ScriptError noScript(Matcher said, String code) {
        int line = Integer.parseInt(said.group("line"));
        int last = LINE_END.split(code, -1).length;
        // Text after the last line is the worker's own: the script has left something open.
        String place = line > last
                ? "at its end"
                : "at line " + line + ", column " + AsyncScript.column(line, Integer.parseInt(said.group("column")));
        return new ScriptError("SyntaxError", said.group("what") + ", " + place, Math.min(line, last));
    }

    private static int line(PolyglotException failure) {
        SourceSection place = failure.getSourceLocation();
        return place == null || !place.getSource().getName().equals(AsyncScript.NAME) ? 0 : place.getStartLine();
    }
}
