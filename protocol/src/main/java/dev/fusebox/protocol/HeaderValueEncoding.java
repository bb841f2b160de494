package dev.fusebox.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Codec of HTTP header values: which text a header may contain (RFC 9110), and how other text is encoded
/// (2026-07-28, Streamable HTTP, "Value Encoding"). Stateless, thread-safe; never blocks.
public final class HeaderValueEncoding {
    private static final String MARKS = "!#$%&'*+-.^_`|~";
    private static final String BEGIN = "=?base64?";
    private static final String END = "?=";

    private HeaderValueEncoding() {}

    /// RFC 9110, 5.6.2.
    public static boolean isToken(String text) {
        return !text.isEmpty() && isAll(text, HeaderValueEncoding::isTokenChar);
    }

    private static boolean isTokenChar(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || MARKS.indexOf(c) >= 0;
    }

    /// Visible ASCII, blanks and tabs: nothing that could end a line.
    public static boolean isFieldValue(String text) {
        return isAll(text, c -> c == '\t' || (c >= ' ' && c < 127));
    }

    /// Visible ASCII without blanks, as required of an id in a header.
    public static boolean isVisible(String text) {
        return !text.isEmpty() && isAll(text, c -> c > ' ' && c < 127);
    }

    /// Written without a stream: it runs for every header of every request and response.
    private static boolean isAll(String text, IntPredicate allowed) {
        for (int i = 0; i < text.length(); i++) {
            if (!allowed.test(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /// The text as a header value: in base64 if it is not a valid value, or could be mistaken for base64.
    public static String encoded(String text) {
        boolean survives = isFieldValue(text) && text.equals(text.strip());
        boolean looksEncoded = text.startsWith(BEGIN) && text.endsWith(END);
        return survives && !looksEncoded
                ? text
                : BEGIN + Base64.getEncoder().encodeToString(text.getBytes(UTF_8)) + END;
    }

    /// The text of a header value; null if it cannot be decoded.
    public static @Nullable String decoded(String value) {
        if (!isFieldValue(value)) {
            return null;
        }
        if (!value.startsWith(BEGIN) || !value.endsWith(END)) {
            return value;
        }
        if (value.length() < BEGIN.length() + END.length()) {
            return null;
        }
        try {
            String text = value.substring(BEGIN.length(), value.length() - END.length());
            return text.length() % 4 != 0
                    ? null
                    : new String(Base64.getDecoder().decode(text), UTF_8);
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }
}
