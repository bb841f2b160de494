package dev.fusebox.http;

/// The character classes of RFC 9110 and RFC 3986. Stateless, thread-safe.
final class HttpCharacters {
    private static final boolean[] TOKEN = set("!#$%&'*+-.^_`|~");
    private static final boolean[] PATH = set("-._~!$&'()*+,;=:@%/");
    private static final boolean[] QUERY = set("-._~!$&'()*+,;=:@%/?");

    private HttpCharacters() {}

    private static boolean[] set(String besidesLettersAndDigits) {
        var members = new boolean[128];
        for (char c = 0; c < 128; c++) {
            boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            members[c] = isLetter || (c >= '0' && c <= '9') || besidesLettersAndDigits.indexOf(c) >= 0;
        }
        return members;
    }

    /// RFC 9110, 5.6.2.
    static boolean isToken(String text) {
        return !text.isEmpty() && consistsOf(TOKEN, text);
    }

    /// RFC 9110, 5.5: no control character but the tab. Bytes above 127 are opaque.
    static boolean isFieldValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c == 127 || c > 255) {
                return false;
            }
        }
        return true;
    }

    static boolean isPath(String text) {
        return consistsOf(PATH, text);
    }

    static boolean isQuery(String text) {
        return consistsOf(QUERY, text);
    }

    private static boolean consistsOf(boolean[] members, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 127 || !members[c]) {
                return false;
            }
        }
        return true;
    }
}
