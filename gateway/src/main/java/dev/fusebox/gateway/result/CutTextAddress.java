package dev.fusebox.gateway.result;

import org.jspecify.annotations.Nullable;

/// The address of one part of a kept text, as clients read it: `fusebox://fusebox/results/ID/PART`. No server can
/// have the name `fusebox`, so it is never the address of a server's resource. Immutable.
///
/// @param id cannot be guessed
/// @param part from 1 on
record CutTextAddress(String id, int part) {
    /// What all these addresses begin with.
    static final String PREFIX = "fusebox://fusebox/results/";

    private static final int MAX_DIGITS = 6;

    /// Null if it is not such an address.
    static @Nullable CutTextAddress parse(String uri) {
        int slash = uri.lastIndexOf('/');
        if (!uri.startsWith(PREFIX) || slash < PREFIX.length()) {
            return null;
        }
        String number = uri.substring(slash + 1);
        boolean isNumber = !number.isEmpty()
                && number.length() <= MAX_DIGITS
                && number.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        return isNumber ? new CutTextAddress(uri.substring(PREFIX.length(), slash), Integer.parseInt(number)) : null;
    }

    CutTextAddress at(int other) {
        return new CutTextAddress(id, other);
    }

    @Override
    public String toString() {
        return PREFIX + id + "/" + part;
    }
}
