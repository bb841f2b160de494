package dev.fusebox.config;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// The name of a server. Immutable.
///
/// @param written as in the file
/// @param id the same in characters that are safe everywhere: `[A-Za-z0-9_.-]{1,64}`
public record ServerName(String written, String id) {
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9_.-]");
    /// Names of the folder itself and of the one above.
    private static final Pattern FOLDER = Pattern.compile("\\.{1,2}");
    private static final int LONGEST = 64;

    /// The maximum length of a file name; a longer text is not a name.
    private static final int MAX_WRITTEN = 255;

    /// Names that clients and commands use for the gateway itself, for its tool, and for standard input.
    private static final Set<String> RESERVED = Set.of("fusebox", "mcp_call", "-");

    /// Derives the id: other characters become `-`, and too long names are cut.
    public static ServerName of(String written) {
        if (SAFE.matcher(written).matches() && !FOLDER.matcher(written).matches()) {
            return new ServerName(written, written);
        }
        String safe = UNSAFE.matcher(written).replaceAll("-");
        String cut = safe.substring(0, Math.min(LONGEST, safe.length()));
        String id = FOLDER.matcher(cut).matches() ? cut.replace('.', '-') : cut;
        return new ServerName(written, id.equals("-") ? "--" : id);
    }

    /// Whether the name is reserved. Case does not matter.
    public boolean isReserved() {
        return RESERVED.contains(id.toLowerCase(Locale.ROOT));
    }

    /// Whether no id can be derived from it, because it is too long or contains a NUL, which programs treat
    /// differently.
    public boolean isUnusable() {
        return written.length() > MAX_WRITTEN || written.indexOf('\0') >= 0;
    }

    boolean isDerived() {
        return !written.equals(id);
    }
}
