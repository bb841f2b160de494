package dev.fusebox.config;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// What a server is called. Immutable.
///
/// @param written as in the file
/// @param id the same in characters that are safe wherever names go: `[A-Za-z0-9_.-]{1,64}`
public record ServerName(String written, String id) {
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9_.-]");
    /// Names of the folder itself and of the one above.
    private static final Pattern FOLDER = Pattern.compile("\\.{1,2}");
    private static final int LONGEST = 64;

    /// As long as the name of a file may be: what is longer is no name.
    private static final int MAX_WRITTEN = 255;

    /// What clients and commands take for the gateway itself, for its tool, and for standard input.
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

    /// Whether it means something else, so that no server can have it. Capitals make no difference.
    public boolean isReserved() {
        return RESERVED.contains(id.toLowerCase(Locale.ROOT));
    }

    /// Whether no id is made of it, as it is too long or holds a NUL, on which programs disagree where it ends.
    public boolean isUnusable() {
        return written.length() > MAX_WRITTEN || written.indexOf('\0') >= 0;
    }

    boolean isDerived() {
        return !written.equals(id);
    }
}
