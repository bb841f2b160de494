package dev.fusebox.gateway.extension;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An address of a server with the server's name in it, for an address that the server may not have for itself.
/// Immutable.
///
/// The scheme stays, and the name becomes the authority: `ui://app/main` of the server `jira` is
/// `ui://jira/app/main`. A server that has addresses of its own with its name as authority gets a segment in between:
/// `ui://jira/=/app/main`. An address that a client might normalize to another one, or that has another scheme, is one
/// percent-encoded segment: `ui://jira/==...`.
///
/// @param server the name in it
/// @param own the server's own address
record PrefixedAddress(String server, String own) {
    private static final Pattern SCHEME = Pattern.compile("(?<scheme>[a-z][a-z0-9+.-]*)://(?<rest>.*)", Pattern.DOTALL);

    /// Authority and path of an address that no client changes: an authority that is neither a port nor user
    /// information nor escaped, and a path of visible ASCII characters.
    private static final Pattern UNCHANGEABLE = Pattern.compile("[A-Za-z0-9._~-]+(/[!-~&&[^\\\\]]*)?");

    /// A path segment that clients remove together with the one before.
    private static final Pattern DOTS = Pattern.compile("(?i)/(\\.|%2e){1,2}(/|\\?|#|$)");

    private static final String MARK = "=";
    private static final String BETWEEN = "/";

    /// The scheme in lower case; empty if it has none.
    static String scheme(String address) {
        int colon = address.indexOf(':');
        return colon < 0 ? "" : address.substring(0, colon).toLowerCase(Locale.ROOT);
    }

    /// The part between `//` and the first slash; null if the address is one that clients might change.
    static @Nullable String authority(String address) {
        Matcher matcher = SCHEME.matcher(address);
        String rest = matcher.matches() ? matcher.group("rest") : "";
        boolean isStable =
                UNCHANGEABLE.matcher(rest).matches() && !DOTS.matcher(rest).find();
        return isStable ? before(rest) : null;
    }

    private static String before(String rest) {
        int slash = rest.indexOf(BETWEEN);
        return slash < 0 ? rest : rest.substring(0, slash);
    }

    /// The address with the name of its server.
    ///
    /// @param scheme of the result
    /// @param isMarked whether the server has addresses of its own with its name as authority
    String text(String scheme, boolean isMarked) {
        String prefix = scheme + "://" + server + BETWEEN;
        boolean isKept = authority(own) != null && scheme(own).equals(scheme);
        return isKept
                ? prefix + (isMarked ? MARK + BETWEEN : "") + own.substring(scheme.length() + 3)
                : prefix + MARK + MARK + escaped(own);
    }

    /// Also without dots, which clients might take for path segments.
    private static String escaped(String own) {
        return URLEncoder.encode(own, StandardCharsets.UTF_8).replace(".", "%2E");
    }

    /// Reads an address with the name of a server.
    ///
    /// @param isMarked as above
    /// @return null if the address cannot have been written by [#text]
    static @Nullable PrefixedAddress of(String address, String server, boolean isMarked) {
        String scheme = scheme(address);
        String prefix = scheme + "://" + server + BETWEEN;
        if (!address.startsWith(prefix)) {
            return null;
        }
        String rest = address.substring(prefix.length());
        if (rest.startsWith(MARK + MARK)) {
            return encoded(server, rest.substring(2 * MARK.length()));
        }
        boolean hasMark = rest.startsWith(MARK + BETWEEN);
        if (hasMark != isMarked) {
            return null;
        }
        String own = scheme + "://" + (hasMark ? rest.substring(MARK.length() + BETWEEN.length()) : rest);
        return authority(own) == null ? null : new PrefixedAddress(server, own);
    }

    private static @Nullable PrefixedAddress encoded(String server, String text) {
        try {
            return new PrefixedAddress(server, URLDecoder.decode(text, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException wronglyEscaped) {
            return null;
        }
    }
}
