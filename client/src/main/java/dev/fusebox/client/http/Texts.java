package dev.fusebox.client.http;

import java.util.function.IntPredicate;

/// What may stand in a head (RFC 9110). Pure functions.
final class Texts {
    private static final String MARKS = "!#$%&'*+-.^_`|~";

    private Texts() {}

    /// RFC 9110, 5.6.2.
    static boolean isToken(String text) {
        return !text.isEmpty() && isAll(text, Texts::isTokenChar);
    }

    private static boolean isTokenChar(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || MARKS.indexOf(c) >= 0;
    }

    /// Visible ASCII, blanks and tabs: nothing that could end a line.
    static boolean isFieldValue(String text) {
        return isAll(text, c -> c == '\t' || (c >= ' ' && c < 127));
    }

    /// Visible ASCII without blanks, as an id in a header has to be.
    static boolean isVisible(String text) {
        return !text.isEmpty() && isAll(text, c -> c > ' ' && c < 127);
    }

    /// Without a stream: every header of every request and answer comes here.
    private static boolean isAll(String text, IntPredicate allowed) {
        for (int i = 0; i < text.length(); i++) {
            if (!allowed.test(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
