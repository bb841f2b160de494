package dev.fusebox.gateway.catalog;

import java.util.List;
import java.util.regex.Pattern;

/// Matching of URIs against URI templates (RFC 6570): the text outside of braces must occur in order, and
/// braces match anything. Pure functions, thread-safe; nothing blocks. The time grows with both
/// lengths.
public final class UriTemplates {
    /// The scheme at the start of every URI (RFC 3986, section 3.1).
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");

    private static final Pattern BRACES = Pattern.compile("\\{[^}]*}");

    private UriTemplates() {}

    /// The number of literal characters of a template: of two that match, the one with more of them is more
    /// specific.
    public static int literals(String template) {
        return BRACES.matcher(template).replaceAll("").length();
    }

    /// A template without a literal scheme matches nothing.
    public static boolean matches(String template, String address) {
        List<String> literals = List.of(BRACES.split(template, -1));
        return SCHEME.matcher(literals.getFirst()).lookingAt() && new GlobPattern(literals).matches(address);
    }
}
