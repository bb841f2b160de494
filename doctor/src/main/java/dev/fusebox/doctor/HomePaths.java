package dev.fusebox.doctor;

import dev.fusebox.client.ErrorId;
import dev.fusebox.config.ServerEndpoint;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Checks for paths that begin with `~`, which only a shell expands: the server gets them unchanged. Pure
/// functions, thread-safe.
final class HomePaths {
    /// As an argument, or as the value of an option.
    private static final Pattern BELOW_HOME = Pattern.compile("(?:[^=/~]*=)?(?<path>~(?:/.*)?)");

    private HomePaths() {}

    /// Such paths among its arguments and variables.
    static Stream<String> in(ServerEndpoint.Stdio spec) {
        return Stream.concat(spec.args().stream(), spec.env().values().stream())
                .map(BELOW_HOME::matcher)
                .filter(Matcher::matches)
                .map(match -> match.group("path"));
    }

    static boolean is(String word) {
        return word.equals("~") || word.startsWith("~/");
    }

    /// @param path as written
    static Finding finding(Severity severity, String path, DiagnosedServer server) {
        return new Finding(
                Check.LAUNCH,
                ErrorId.HOME_NOT_EXPANDED,
                severity,
                "the server gets " + path + " unexpanded, because only a shell expands ~",
                List.of(),
                -1,
                server.place("args") + ": write " + expandable(path) + " instead of " + path);
    }

    /// The gateway expands variables, but not `~`.
    static String expandable(String path) {
        return "${HOME}" + path.substring(1);
    }
}
