package dev.fusebox.gateway.doctor;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.ailment.Ailment;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Paths below `~`, which is the home folder to a shell alone: a server gets it as it is written. Pure functions,
/// thread-safe.
final class HomePaths {
    /// As a word, or as the value of an option.
    private static final Pattern BELOW_HOME = Pattern.compile("(?:[^=/~]*=)?(?<path>~(?:/.*)?)");

    private HomePaths() {}

    /// Those among its arguments and variables.
    static Stream<String> in(ChildSpec spec) {
        return Stream.concat(spec.args().stream(), spec.env().values().stream())
                .map(BELOW_HOME::matcher)
                .filter(Matcher::matches)
                .map(match -> match.group("path"));
    }

    static boolean is(String word) {
        return word.equals("~") || word.startsWith("~/");
    }

    /// @param path as it is written
    static Finding finding(Severity severity, String path, Patient patient) {
        return new Finding(
                Check.SHAPE,
                Ailment.HOME_NOT_EXPANDED,
                severity,
                "the server gets " + path + " as it is written: only a shell makes the home folder of ~",
                List.of(),
                patient.place("args") + ": write " + expandable(path) + " in place of " + path);
    }

    /// The gateway puts in variables, and no `~`.
    static String expandable(String path) {
        return "${HOME}" + path.substring(1);
    }
}
