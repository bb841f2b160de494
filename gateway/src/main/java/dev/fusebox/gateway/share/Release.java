package dev.fusebox.gateway.share;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// Which build of Fusebox a process runs. Immutable.
///
/// @param version of Fusebox, as `version` prints it
/// @param build what distinguishes builds of one version
/// @param builtMs when it was built, by the wall clock
public record Release(String version, String build, long builtMs) {
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /// The build that runs this process: the launcher names its folder after the contents of its jars.
    static Release current(String version) {
        String app = System.getProperty("fusebox.app");
        return app == null
                ? new Release(version, "", 0)
                : new Release(version, app.substring(app.lastIndexOf('/') + 1), builtAt(Path.of(app, "built")));
    }

    private static long builtAt(Path marker) {
        try {
            return Files.getLastModifiedTime(marker).toMillis();
        } catch (IOException unknown) {
            return 0;
        }
    }

    /// Whether a gateway of this release replaces one of the other.
    boolean isNewerThan(Release other) {
        int compared = compare(version, other.version);
        return compared > 0 || (compared == 0 && !build.equals(other.build) && builtMs > other.builtMs);
    }

    /// By the numbers in it; a version with a word after them, as `-SNAPSHOT`, comes before the one without.
    private static int compare(String one, String other) {
        long[] mine = numbers(one);
        long[] theirs = numbers(other);
        for (int i = 0; i < Math.max(mine.length, theirs.length); i++) {
            int compared = Long.compare(i < mine.length ? mine[i] : 0, i < theirs.length ? theirs[i] : 0);
            if (compared != 0) {
                return compared;
            }
        }
        return Boolean.compare(other.contains("-"), one.contains("-"));
    }

    private static long[] numbers(String version) {
        return NUMBER.matcher(version)
                .results()
                .mapToLong(number -> Long.parseLong(
                        number.group().substring(0, Math.min(9, number.group().length()))))
                .toArray();
    }
}
