package dev.fusebox.gateway.upstream;

import java.util.List;
import java.util.regex.Pattern;

/// Tells whether an address could be made from a template (RFC 6570): what stands outside of braces has to be
/// there, in order, and braces stand for anything. Pure functions; time grows with the two lengths.
final class UriTemplates {
    /// How every address begins (RFC 3986, section 3.1).
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");

    private static final Pattern BRACES = Pattern.compile("\\{[^}]*}");

    private UriTemplates() {}

    /// How many characters of the template stand for themselves: of two that match, the one with more of them says
    /// more of what is meant.
    static int literals(String template) {
        return BRACES.matcher(template).replaceAll("").length();
    }

    /// A template that does not even say of which scheme its addresses are matches none.
    static boolean matches(String template, String address) {
        List<String> literals = List.of(BRACES.split(template, -1));
        return SCHEME.matcher(literals.getFirst()).lookingAt() && new GlobPattern(literals).matches(address);
    }
}
