package dev.fusebox.gateway.extension;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The directories of skills: the address of `SKILL.md` without its last segment. Pure functions.
final class SkillRoots {
    private static final String FILE = "/SKILL.md";

    /// Limit on the depth of the search, which costs a lookup for each directory.
    private static final int MAX_DEPTH = 32;

    private SkillRoots() {}

    /// Whether a directory is so deep that nothing in it is found.
    static boolean isTooDeep(String directory) {
        return directory.chars().filter(character -> character == '/').count() > MAX_DEPTH;
    }

    /// The directory of a skill; null if this cannot be the address of one.
    static @Nullable String of(String skill) {
        int authority = skill.indexOf("://") + 3;
        boolean isSkill = authority > 3 && skill.endsWith(FILE) && skill.length() > authority + FILE.length();
        return isSkill ? skill.substring(0, skill.length() - FILE.length()) : null;
    }

    /// The directory of a skill; the address itself if it is not that of a skill.
    static String orDirectory(String address) {
        String root = of(address);
        return root == null ? address : root;
    }

    /// The outermost of these directories that contains the address or is it; null if there is none.
    static @Nullable String around(String address, Set<String> roots) {
        if (roots.isEmpty()) {
            return null;
        }
        int slash = address.indexOf('/', address.indexOf("://") + 3);
        for (int depth = 0; depth <= MAX_DEPTH && slash >= 0; depth++, slash = address.indexOf('/', slash + 1)) {
            String directory = address.substring(0, slash);
            if (roots.contains(directory)) {
                return directory;
            }
        }
        return roots.contains(address) ? address : null;
    }
}
