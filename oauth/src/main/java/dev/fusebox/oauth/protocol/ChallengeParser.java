package dev.fusebox.oauth.protocol;

import dev.fusebox.protocol.HeaderValueEncoding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Parser of the header field `WWW-Authenticate` (RFC 9110, 11.6.1): several challenges in one value, several values,
/// parameters or one token68. A malformed value is read up to its fault. Used by one thread for one value.
///
/// Commas separate both challenges and parameters: a token with an equals sign after it is a parameter of the last
/// challenge, and any other token begins a challenge.
final class ChallengeParser {
    private static final int MAX_CHALLENGES = 100;
    /// Of all values together.
    private static final int MAX_LENGTH = 16 << 10;

    private final String text;
    private int at;
    private @Nullable Challenge current;

    private ChallengeParser(String text) {
        this.text = text;
    }

    /// One challenge. Immutable.
    ///
    /// @param parameters by name in lower case; the first of each name; no token68
    record Challenge(String scheme, Map<String, String> parameters) {}

    /// The challenges of all values in order.
    static List<Challenge> parse(List<String> values) {
        List<Challenge> challenges = new ArrayList<>();
        int left = MAX_LENGTH;
        for (String value : values) {
            if (value.length() > left) {
                break;
            }
            left -= value.length();
            new ChallengeParser(value).read(challenges);
        }
        return challenges;
    }

    private void read(List<Challenge> challenges) {
        skip(" \t,");
        while (at < text.length() && readItem(challenges)) {
            skip(" \t,");
        }
    }

    /// Reads a scheme or a parameter; false if it is malformed. The comma between parameters may be missing.
    private boolean readItem(List<Challenge> challenges) {
        String name = token();
        int end = at;
        skip(" \t");
        if (name.isEmpty()) {
            return false;
        }
        if (at < text.length() && text.charAt(at) == '=') {
            at++;
            return readParameter(name) && (at == text.length() || " \t,".indexOf(text.charAt(at)) >= 0);
        }
        if (challenges.size() == MAX_CHALLENGES) {
            return false;
        }
        current = new Challenge(name, new LinkedHashMap<>());
        challenges.add(current);
        if (at > end) {
            skipToken68();
        }
        return true;
    }

    private boolean readParameter(String name) {
        String value = value();
        if (value == null || current == null) {
            return false;
        }
        current.parameters().putIfAbsent(name.toLowerCase(Locale.ROOT), value);
        return true;
    }

    /// A token68 ends the challenge; the first parameter of one may look like it up to its equals sign.
    private void skipToken68() {
        int begin = at;
        while (at < text.length() && isToken68(text.charAt(at))) {
            at++;
        }
        skip("=");
        int end = at;
        skip(" \t");
        if (begin == end || (at < text.length() && text.charAt(at) != ',')) {
            at = begin;
        }
    }

    private static boolean isToken68(char c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || "-._~+/".indexOf(c) >= 0);
    }

    private String token() {
        int begin = at;
        while (at < text.length() && HeaderValueEncoding.isToken(text.substring(at, at + 1))) {
            at++;
        }
        return text.substring(begin, at);
    }

    /// The value of a parameter; null if it is malformed. Some servers forget the quotes of a URL.
    private @Nullable String value() {
        skip(" \t");
        if (at < text.length() && text.charAt(at) == '"') {
            at++;
            return quoted();
        }
        int begin = at;
        while (at < text.length() && " \t,\"".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at == begin ? null : text.substring(begin, at);
    }

    private @Nullable String quoted() {
        StringBuilder value = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return value.toString();
            }
            if (c == '\\' && at < text.length()) {
                c = text.charAt(at++);
            }
            value.append(c);
        }
        return null;
    }

    private void skip(String characters) {
        while (at < text.length() && characters.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }
}
