package dev.fusebox.client.http;

/// What may stand in a head (RFC 9110). Pure functions.
final class Texts {
    private static final String MARKS = "!#$%&'*+-.^_`|~";

    private Texts() {}

    /// RFC 9110, 5.6.2.
    static boolean isToken(String text) {
        return !text.isEmpty() && text.chars().allMatch(Texts::isTokenChar);
    }

    private static boolean isTokenChar(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || MARKS.indexOf(c) >= 0;
    }

    /// Visible ASCII, blanks and tabs: nothing that could end a line.
    static boolean isFieldValue(String text) {
        return text.chars().allMatch(c -> c == '\t' || (c >= ' ' && c < 127));
    }

    /// Visible ASCII without blanks, as an id in a header has to be.
    static boolean isVisible(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c < 127);
    }
}
