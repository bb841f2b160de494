package dev.fusebox.config;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Server programs that are known to keep state of their client in memory, such as the page of a browser, a shell, or
/// the steps of a reasoning process. With `"isolation": "auto"` each client has its own process of them, since nothing
/// in the protocol shows what a server keeps. Pure functions.
final class UnsharedPrograms {
    private static final Set<String> WORDS = Set.of(
            "browser",
            "playwright",
            "puppeteer",
            "selenium",
            "chrome-devtools",
            "desktop-commander",
            "sequential-thinking",
            "server-everything");

    /// What separates the words of a path, a package name and its version.
    private static final Pattern SEPARATOR = Pattern.compile("[^a-z0-9]");

    private UnsharedPrograms() {}

    /// Whether the process runs one of them: the name of its program or a word of its arguments says so.
    static boolean include(ServerEndpoint endpoint) {
        return endpoint instanceof ServerEndpoint.Stdio process
                && Stream.concat(Stream.of(process.command()), process.args().stream())
                        .map(word -> normal(word.toLowerCase(Locale.ROOT)))
                        .anyMatch(word -> WORDS.stream().anyMatch(name -> word.contains(normal(name))));
    }

    /// With each word between hyphens.
    private static String normal(String text) {
        return "-" + SEPARATOR.matcher(text).replaceAll("-") + "-";
    }
}
