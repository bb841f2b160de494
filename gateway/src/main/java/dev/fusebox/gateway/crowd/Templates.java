package dev.fusebox.gateway.crowd;

/// Tells whether an address could be made from a template (RFC 6570): what stands outside of braces has to be there, in
/// order, and braces stand for anything. Pure functions; time grows with the two lengths.
final class Templates {
    private Templates() {}

    static boolean matches(String template, String address) {
        String[] literals = template.split("\\{[^}]*}", -1);
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
