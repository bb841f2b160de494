package dev.fusebox.protocol;

import java.util.regex.Pattern;

/// The identifiers of protocol extensions: a prefix, a slash and a name (revision 2026-07-28, section "Extensions").
/// Pure functions; thread-safe, and nothing blocks.
public final class ExtensionIdentifier {
    private static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,126}/[A-Za-z0-9._-]{1,64}");

    private ExtensionIdentifier() {}

    public static boolean isValid(String text) {
        return PATTERN.matcher(text).matches();
    }
}
