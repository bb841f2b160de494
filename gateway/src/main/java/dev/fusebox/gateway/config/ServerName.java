package dev.fusebox.gateway.config;

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

    /// Derives the id: other characters become `-`, and too long names are cut.
    public static ServerName of(String written) {
        if (SAFE.matcher(written).matches() && !FOLDER.matcher(written).matches()) {
            return new ServerName(written, written);
        }
        String safe = UNSAFE.matcher(written).replaceAll("-");
        String cut = safe.substring(0, Math.min(LONGEST, safe.length()));
        return new ServerName(written, FOLDER.matcher(cut).matches() ? cut.replace('.', '-') : cut);
    }

    boolean isDerived() {
        return !written.equals(id);
    }
}
