package dev.fusebox.gateway.upstream;

import java.util.List;

/// Which of a server's tools clients get to see: those that an `include` pattern names and no `exclude` pattern
/// does. In a pattern `*` stands for any characters, also none, and everything else for itself. Immutable.
public final class ToolFilter {
    private final List<GlobPattern> include;
    private final List<GlobPattern> exclude;

    /// Nothing is seen if nothing is included.
    public ToolFilter(List<String> include, List<String> exclude) {
        this.include = include.stream().map(GlobPattern::of).toList();
        this.exclude = exclude.stream().map(GlobPattern::of).toList();
    }

    /// All tools.
    public static ToolFilter all() {
        return new ToolFilter(List.of("*"), List.of());
    }

    /// Whether clients see the tool of this name, which is the server's own.
    public boolean lets(String own) {
        return names(include, own) && !names(exclude, own);
    }

    private static boolean names(List<GlobPattern> globPatterns, String own) {
        return globPatterns.stream().anyMatch(globPattern -> globPattern.matches(own));
    }
}
