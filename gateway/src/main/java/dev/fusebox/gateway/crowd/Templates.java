package dev.fusebox.gateway.crowd;

import java.util.regex.Pattern;

/// Tells whether an address could be made from a template (RFC 6570): what stands outside of braces has to be there, in
/// order, and braces stand for anything. Pure functions; time grows with the two lengths.
final class Templates {
    /// How every address begins (RFC 3986, section 3.1).
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");

    private static final Pattern BRACES = Pattern.compile("\\{[^}]*}");

    private Templates() {}

    /// How many characters of the template stand for themselves: of two that match, the one with more of them says more
    /// of what is meant.
    static int literals(String template) {
        return BRACES.matcher(template).replaceAll("").length();
    }

    /// A template that does not even say of which scheme its addresses are matches none.
    static boolean matches(String template, String address) {
        String[] literals = BRACES.split(template, -1);
        if (!SCHEME.matcher(literals[0]).lookingAt()) {
            return false;
        }
        if (literals.length == 1) {
            return template.equals(address);
        }
        String first = literals[0];
        String last = literals[literals.length - 1];
        if (!address.startsWith(first)
                || !address.endsWith(last)
                || address.length() < first.length() + last.length()) {
            return false;
        }
        int at = first.length();
        int end = address.length() - last.length();
        for (int i = 1; i < literals.length - 1; i++) {
            int found = address.indexOf(literals[i], at);
            if (found < 0 || found + literals[i].length() > end) {
                return false;
            }
            at = found + literals[i].length();
        }
        return true;
    }
}
