package dev.fusebox.conventions;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A comment of a Java source: its first line and its text without the markers. Consecutive lines of `//` or `///`
/// are one comment. Immutable.
record Comment(int line, boolean isDoc, String text) {
    /// Text blocks, strings and characters come first, so that text inside them that looks like a comment is
    /// skipped.
    private static final Pattern TOKENS = Pattern.compile("""
            (?s)\"""(?:\\\\.|(?!\""").)*+\"""|"(?:\\\\.|[^"\\\\\\n])*+"|'(?:\\\\.|[^'\\\\\\n])*+'\
            |(?<block>/\\*.*?\\*/)|(?<line>//[^\\n]*(?:\\n[ \\t]*//[^\\n]*)*)""");

    private static final Pattern CODE_IN_DOC =
            Pattern.compile("(?s)```.*?```|<pre>.*?</pre>|\\{@(?:code|snippet)(?:[^{}]|\\{[^{}]*})*}");

    static List<Comment> in(String source) {
        var comments = new ArrayList<Comment>();
        Matcher matcher = TOKENS.matcher(source);
        while (matcher.find()) {
            String raw = matcher.group();
            if (matcher.group("block") != null || matcher.group("line") != null) {
                int line = 1
                        + (int) source.substring(0, matcher.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count();
                comments.add(new Comment(line, raw.startsWith("/**") || raw.startsWith("///"), bare(raw)));
            }
        }
        return comments;
    }

    /// The text with marked code of a doc comment replaced by blanks, line for line.
    String prose() {
        String blank = isDoc
                ? CODE_IN_DOC.matcher(text).replaceAll(code -> code.group().replaceAll("[^\\n]", " "))
                : text;
        return isDoc ? blank.replaceAll("(?m)^ {5,}.*$", "") : blank;
    }

    private static String bare(String raw) {
        return raw.replaceAll("(?m)^[ \\t]*(///?|/\\*\\*?|\\*/|\\*)", "").replaceAll("\\*/$", "");
    }
}
